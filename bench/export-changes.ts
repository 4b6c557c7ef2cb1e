// One change in the export of a large site: `node bench/export-changes.ts --server postgres://… --posts 100000`. Posts are
// short, since only their number counts here. Each has three related posts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openOnServer } from '../test/helpers/database.ts'
import { runCommand } from '../test/helpers/run-command.ts'
import { startService } from '../test/helpers/service.ts'
import { insertShortPosts } from './short-posts.ts'

const { values } = parseArgs({
  options: { posts: { type: 'string', default: '10000' }, server: { type: 'string' }, folder: { type: 'string' } }
})
const posts = Number(values.posts)
const server = values.server ?? process.env.TEST_DATABASE_URL
if (server === undefined) throw new Error('Name a PostgreSQL server with --server.')
const folder = mkdtempSync(path.join(values.folder ?? os.tmpdir(), 'galley-changes-'))
const { db } = await openOnServer(server)
const service = await startService({ db, worker: false })
const edited = `tides-${Math.floor(posts / 2)}`
const withdrawn = `tides-${Math.floor(posts / 3)}`
const changes = {
  edit: `update posts set title = title || '!', revision = revision + 1 where slug = '${edited}'`,
  withdrawal: `update posts set status = 'archived' where slug = '${withdrawn}'`,
  publication: `update posts set status = 'published' where slug = '${withdrawn}'`
}

try {
  await insertShortPosts(db, posts)
  for (const isWithSite of ['false', 'true']) {
    await service.kernel.settings.set('site_export', isWithSite)
    await service.kernel.settings.set('export_target', `file:${path.join(folder, isWithSite)}`)
    await run('rebuild')
    for (let round = 0; round < 3; round++)
      for (const [what, statement] of Object.entries(changes)) {
        await db.query(statement)
        const databases = await databaseMs()
        const startedAt = performance.now()
        const own = process.cpuUsage()
        await run('refresh')
        const ms = performance.now() - startedAt
        const { user, system } = process.cpuUsage(own)
        const cpu = [(user + system) / 1000, (await databaseMs()) - databases].map(Math.round)
        const kind = isWithSite === 'true' ? 'JSON and pages' : 'JSON'
        console.log(`${posts} posts, ${kind}, ${what}: ${Math.round(ms)} ms; CPU ${cpu.join(' and ')} ms (database)`)
      }
  }
} finally {
  await service.close()
  await db.close()
  rmSync(folder, { recursive: true })
}

async function run(name: string): Promise<void> {
  const { status, err } = await runCommand(service.kernel, 'export', name, '--json')
  if (status !== 0) throw new Error(err)
}

/** Processor time of the connections to this database, in ms, where its server is on this machine. */
async function databaseMs(): Promise<number> {
  const rows = await db.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'"
  )
  return rows.reduce((sum, { pid }) => sum + ticksOf(pid) * 10, 0)
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
