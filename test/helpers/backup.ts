import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readTar, tarEnd, tarHeader, tarPadding } from '../../cli/backup/tar.ts'
import { runProgram } from '../../cli/framework/run.ts'
import { installationProgram } from '../../cli/kernel-program.ts'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/contract/database.ts'
import type { JobType } from '../../core/contract/jobs.ts'
import { jobType } from '../../core/contract/plugin.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { embeddedModel } from '../../plugins/memory/embedders/embedded.ts'
import { openTestDatabase } from './database.ts'
import { bootPlugins, loadConfigured } from './kernel.ts'
import { recordSession } from './session.ts'

export interface TestInstallation {
  home: string
  db: Db
  kernel: Kernel
  config: Config
  /** Runs `galley backup …` as the operator would. */
  backup(...argv: string[]): Promise<{ status: number; out: string; err: string }>
  close(): Promise<void>
}

export const testKey = Buffer.alloc(32, 7).toString('base64')

/** An installation as `setup` leaves it, with a home of its own and nothing running. */
export async function openInstallation(
  options: { db?: Db; secretKey?: string; databaseUrl?: string; home?: string } = {}
): Promise<TestInstallation> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'galley-backup-'))
  const db = options.db ?? (await openTestDatabase())
  const config: Config = {
    home,
    databaseUrl: options.databaseUrl,
    secretKey: options.secretKey ?? testKey,
    jwtSecret: 'a secret of the test suite that is long enough',
    fromEnvironment: ['POINDEXTER_SECRET_KEY', 'GALLEY_JWT_SECRET'],
    host: '127.0.0.1',
    port: 8000,
    logLevel: 'silent',
    pluginsConfigPath: ''
  }
  const kernel = bootPlugins(await loadConfigured(), { db, config })
  return {
    home,
    db,
    kernel,
    config,
    async backup(...argv) {
      const session = recordSession({ cwd: home })
      const program = installationProgram(kernel, config)
      const status = await runProgram({ name: 'galley', version: '0.0.0', program }, ['backup', ...argv], session)
      return { status, out: session.out.join('\n'), err: session.err.join('\n') }
    },
    async close() {
      await db.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

const ids = (count: number, start: string) =>
  Array.from({ length: count }, (_, at) => `${start}0000000-0000-4000-8000-${String(at).padStart(12, '0')}`)

export const postIds = ids(30, 'a')
export const taskIds = ids(12, 'b')
const entryIds = ids(20, 'c')
export const pickup: JobType<{ task_id: string }> = jobType('tasks.pickup')

/** Rows of every kind that is hard to carry: vectors, bytes, JSON null, arrays with nulls, odd characters, jobs. */
export async function fill({ db, kernel, home }: TestInstallation): Promise<void> {
  await kernel.open()
  await kernel.jobs.install()
  await kernel.settings.set('llm_api_key', 'sk-top-secret ✓')
  await kernel.settings.set('embedder_api_key', 'another secret')
  await kernel.settings.set('default_target_length', '900')
  await db.query(`insert into categories (slug, name) values ('a', 'Ä "quoted" \\ back\nslash'), ('b', '日本')`)
  for (const [at, id] of postIds.entries()) {
    await db.query(
      `insert into posts (post_id, slug, title, content, content_html, word_count, status, category, published_at, tags, seo_keywords,
         metadata)
       values ($1, $2, $3, $4, '<p>' || $4 || E'</p>\\n', 3, 'scheduled', $5, now() + interval '1 day', $6, array[null, 'x', ''], $7)`,
      [
        id,
        `post-${at}`,
        `Title ${at} \t "q" ${'é'.repeat(at)}`,
        `needle text ${'x'.repeat(20_000)}`,
        at % 2 === 0 ? 'a' : 'b',
        ['one', 'with, comma', '{brace}', 'NULL'],
        at === 0
          ? 'null'
          : JSON.stringify({ at, deep: [1.5, null, { é: '\\u0041' }], big: 12345678901234567890n.toString() })
      ]
    )
    await db.query(
      `insert into post_titles (post_id, title, model, embedding, signs) select post_id, title, 'm', $2::vector, repeat('0', 768)::bit(768) from posts where post_id = $1`,
      [id, `[${Array.from({ length: 768 }, (_, n) => Math.fround(Math.sin(n + at))).join(',')}]`]
    )
    await db.query(
      `insert into post_history (post_id, action, to_status, actor) values ($1, 'created', 'draft', 'operator')`,
      [id]
    )
  }
  await db.query('delete from post_history where id > 20')
  for (const id of taskIds)
    await db.query(
      `insert into tasks (task_id, topic, target_length, style, tone, status) values ($1, 'a topic', 500, 's', 't', 'pending')`,
      [id]
    )
  for (const id of entryIds) {
    await db.query(
      `insert into memory_entries (entry_id, source_table, source_id, writer, text, content_hash)
       values ($1, 'brain', $2, 'test', 'a text', 'h')`,
      [id, id]
    )
    await db.query(`insert into memory_chunks (entry_id, chunk, text) values ($1, 0, 'a text about tides')`, [id])
    await db.query(
      `insert into memory_embeddings (entry_id, chunk, model, embedding) values ($1, 0, $2, array_fill(0.1::real, array[768])::vector)`,
      [id, embeddedModel]
    )
  }
  await db.query(
    `insert into idempotency_keys (client_id, key, request_hash, body) values ('c', 'k', 'h', '\\x00ff10'::bytea)`
  )
  await fillJobs(kernel)
  mkdirSync(path.join(home, 'media', 'episodes'), { recursive: true })
  writeFileSync(path.join(home, 'media', 'episodes', `${postIds[0]}.mp3`), randomBytes(200_000))
  // As a service notes it that has looked through the folder: one that runs long enough would change the post.
  await db.query(`update posts set media = '{podcast}' where post_id = $1`, [postIds[0] ?? ''])
  writeFileSync(path.join(home, 'media', 'empty.txt'), '')
}

/** One waits, one is due in a year, one runs, one is parked and one is done. */
async function fillJobs({ db, jobs }: Kernel): Promise<void> {
  const inAYear = new Date(Date.now() + 365 * 86_400_000)
  await db.transaction(async tx => {
    for (const task_id of taskIds) await jobs.enqueue(tx, pickup, { task_id }, { key: task_id })
    await jobs.enqueue(tx, jobType<object>('schedule.publish_due'), {}, { startAt: inAYear, key: 'later' })
  })
  const set = (id: string | undefined, change: string) =>
    db.query(`update jobs.job set ${change} where singleton_key = $1`, [id ?? ''])
  // The export follows the changed settings.
  await db.query(`delete from jobs.job where name = 'export.refresh'`)
  await set(taskIds[0], `state = 'active', started_on = now(), heartbeat_on = now()`)
  await set(taskIds[1], `state = 'failed', completed_on = now(), output = '{"message": "no"}'`)
  await set(taskIds[2], `state = 'completed', completed_on = now()`)
}

/** Every row of every table that the service fills, as text. Left out is what a restore itself writes: whom to tell of it, for one. */
export async function contentsOf(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('audit_log', 'export_state', 'newsletter_state', 'newsletter_database', 'revalidation_waiting')
     order by 1`
  )
  const contents: Record<string, string[]> = {}
  for (const { name } of tables)
    contents[name] = (
      await db.query<{ line: string }>(`select t::text as line from "${name}" t order by t::text collate "C"`)
    ).map(({ line }) => line)
  return contents
}

export const jobsOf = (db: Db) =>
  db.query(
    `select id, name, data, state::text, singleton_key, start_after, retry_count from jobs.job
     where name not like '\\_\\_pgboss%' order by id`
  )

/** Rewrites a backup: `change` answers another entry, or null to leave one out. */
export async function rewrite(
  file: string,
  change: (name: string, body: Buffer) => [string, Buffer] | null
): Promise<void> {
  const parts: Buffer[] = []
  for await (const entry of readTar(Readable.from([gunzipSync(readFileSync(file))]))) {
    const chunks: Buffer[] = []
    for await (const chunk of entry.body) chunks.push(chunk)
    const changed = change(entry.name, Buffer.concat(chunks))
    if (changed === null) continue
    const [name, body] = changed
    parts.push(tarHeader(name, body.length), body, tarPadding(body.length))
  }
  writeFileSync(file, gzipSync(Buffer.concat([...parts, tarEnd()])))
}
