import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parseEnv } from 'node:util'
import sharp from 'sharp'
import type { Db } from '../../core/contract/database.ts'
import { packageRoot } from '../../core/paths.ts'
import { openOnServer, testServerUrl } from '../helpers/database.ts'
import { filesUnder } from '../helpers/files-under.ts'
import { installHome } from '../helpers/installed-home.ts'
import { type ObjectRequest, startObjectStorage } from '../helpers/object-storage.ts'
import { createInstallation, type Running } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'
import { useDatabase } from '../helpers/use-database.ts'

// The tests share one installation, in order: making one takes seconds.
const place = createInstallation()
const server = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated: false })
const plugins = mkdtempSync(path.join(tmpdir(), 'galley-slow-'))
after(async () => {
  await place.close()
  await server?.db.close()
  rmSync(plugins, { recursive: true })
})

const withDatabase = <T>(use: (db: Db) => Promise<T>): Promise<T> => useDatabase(place.home, server?.url, use)
const json = async (argv: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = await place.runHere([...argv, '--json'], { env })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}
/** Four batches of an export, which writes three at once. */
const posts = 60

async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  assert.equal((await ended).status, null)
}

async function interrupt({ child, ended }: Running): Promise<void> {
  child.kill('SIGINT')
  const { status, stdout, stderr } = await ended
  assert.deepEqual([status, stdout], [130, ''])
  assert.doesNotMatch(stderr, /error|at .*\.[jt]s/i)
}

test('a setup on a server that is killed at any step is completed by the next', { skip: !server }, async () => {
  const { url, db } = server as NonNullable<typeof server>
  const bootstrap = path.join(place.home, 'bootstrap.env')
  const setup = () => place.start(['setup', '--db-url', url])
  await db.transaction(async tx => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley.schema_migrations', 0))`)
    const first = setup()
    await first.says(/ok +database/)
    await kill(first)
  })
  assert.equal(existsSync(bootstrap), false)
  const { status } = await place.runHere(['migrate', 'status'])
  assert.equal(status, 1)
  const second = setup()
  await second.says(/ok +migrations/)
  await kill(second)
  await db.transaction(async tx => {
    await tx.query('lock table oauth_clients in access exclusive mode')
    const third = setup()
    await third.says(/ok +jobs/)
    await kill(third)
  })
  const keys = readFileSync(bootstrap, 'utf8')
  const { client_secret } = await json(['setup', '--db-url', url])
  assert.ok(client_secret)
  assert.equal(readFileSync(bootstrap, 'utf8'), keys)
  assert.equal((await place.runHere(['auth', 'mint-token'])).status, 0)
})

before(async () => {
  if (server === undefined) await installHome(place)
})

test('a rotation of the key that is killed leaves a key that works, and the next one rotates', async () => {
  await json(['settings', 'set', 'own_secret', 'päss wörd', '--secret'])
  const reveal = async () => (await json(['settings', 'get', 'own_secret', '--reveal'])).value
  const keys = () => {
    const { POINDEXTER_SECRET_KEY: present, POINDEXTER_SECRET_KEY_NEXT: next } = parseEnv(
      readFileSync(path.join(place.home, 'bootstrap.env'), 'utf8')
    )
    return { present, next }
  }
  const before = keys()
  await withDatabase(db =>
    db.script(`create function linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(600); return new; end $$;
      create trigger linger before update on app_settings for each row execute function linger()`)
  )
  const rotation = place.start(['settings', 'rotate-key', '--yes'])
  await until(() => keys().next !== undefined, 'the next key')
  await kill(rotation)
  await withDatabase(db => db.script('drop function linger() cascade'))
  assert.equal(await reveal(), 'päss wörd')
  assert.deepEqual(keys(), before)
  await json(['settings', 'rotate-key', '--yes'])
  assert.notEqual(keys().present, before.present)
  assert.equal(await reveal(), 'päss wörd')
})

/** A plugin whose second migration takes for ever, or no time. */
function writePlugin(second: string): Record<string, string> {
  const folder = path.join(plugins, 'slow', 'migrations')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(plugins, 'plugins.config.json'), '{ "plugins": ["./plugins/auth", "./slow"] }')
  writeFileSync(
    path.join(plugins, 'slow', 'plugin.js'),
    `export default {
      name: 'slow', contract: 1, describe: 'A plugin with a long migration',
      migrations: new URL('./migrations/', import.meta.url), setup: () => ({ services: {} })
    }`
  )
  const steps = ['', second, '']
  for (const [index, more] of steps.entries()) {
    const name = `step_${index + 1}`
    const text = `--! up\ncreate table ${name} (id int);\n${more}\n--! down\ndrop table ${name};\n`
    writeFileSync(path.join(folder, `2026010${index + 1}_000000_step.sql`), text)
  }
  return { GALLEY_PLUGINS: path.join(plugins, 'plugins.config.json') }
}

test('migrate up that is interrupted or killed keeps whole migrations only, and the next run goes on', async () => {
  const env = writePlugin('select pg_sleep(600);')
  const statesOf = async () =>
    (await json(['migrate', 'status', '--plugin', 'slow'], env)).items.map(({ state }: { state: string }) => state)
  const states = ['applied', 'pending', 'pending']
  for (const stop of [interrupt, kill]) {
    const running = place.start(['migrate', 'up'], { env: { ...env, LOG_LEVEL: 'info' } })
    // Logged once the first has committed: the one that lasts is next.
    await running.says(/migration applied/)
    await stop(running)
    assert.deepEqual(await statesOf(), states)
    await json(['migrate', 'down', '--plugin', 'slow'], env)
  }
  writePlugin('select 1;')
  const { applied, skipped, failed, pending } = await json(['migrate', 'up'], env)
  assert.deepEqual([applied.length, skipped.length, failed, pending], [3, 1, [], []])
})

test('a backup that is interrupted or killed leaves no file under its name, and the next one is whole', async () => {
  const media = path.join(place.home, 'media')
  const folder = path.join(plugins, 'backups')
  const file = path.join(folder, 'galley.tar.gz')
  const argv = ['backup', 'create', '--file', file]
  for (const each of [media, folder]) mkdirSync(each)
  // What cannot be compressed reaches the unfinished file at once. The hole after it costs no disk, and takes a while to compress.
  writeFileSync(path.join(media, 'episode.mp3'), randomBytes(1024 * 1024))
  truncateSync(path.join(media, 'episode.mp3'), 8 * 1024 ** 3)
  const unfinishedBytes = () =>
    readdirSync(folder)
      .filter(name => name.endsWith('.unfinished'))
      .reduce((sum, name) => sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
  const begin = async () => {
    const backup = place.start(argv)
    const before = unfinishedBytes()
    // By then it is in the middle of the file.
    await until(() => unfinishedBytes() > before + 256 * 1024, 'a draft')
    return backup
  }
  await interrupt(await begin())
  assert.deepEqual(readdirSync(folder), [])
  await kill(await begin())
  assert.equal(existsSync(file), false)
  truncateSync(path.join(media, 'episode.mp3'), 1024)
  await json(argv)
  assert.deepEqual(readdirSync(folder), [path.basename(file)])
  assert.equal((await json(['backup', 'verify', file], writePlugin('select 1;'))).ok, true)
})

/** Beside all others a plugin that, while the file `pause` exists, does not answer for the last post: its export is not over before it is stopped. */
function writeWaitingPlugin(pause: string): Record<string, string> {
  const { plugins: own } = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8'))
  const config = path.join(plugins, 'waiting.config.json')
  writeFileSync(config, JSON.stringify({ plugins: [...own, './waiting'] }))
  mkdirSync(path.join(plugins, 'waiting'))
  writeFileSync(
    path.join(plugins, 'waiting', 'plugin.js'),
    `import { existsSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    const surface = {
      name: 'waiting', listPaths: () => [], key: () => '', postPaths: () => [], listFiles: () => [],
      async postFiles(db, posts) {
        if (posts.every(({ slug }) => slug !== 'post-${posts}')) return posts.map(() => ({ files: [] }))
        while (existsSync('${pause}')) await setTimeout(20)
        return posts.map(() => ({ files: [] }))
      }
    }
    export default {
      name: 'waiting', contract: 1, describe: 'Keeps an export waiting', needs: { files: { id: 'export' } },
      setup({ needs }) { needs.files.register(surface); return { services: {} } }
    }`
  )
  return { GALLEY_PLUGINS: config }
}

test('an export that is interrupted leaves whole files only, and the next one is complete', async () => {
  await withDatabase(db =>
    db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'post-' || n, 'Post ' || n, repeat('text ', 400), '<p>text</p>', 'published', now() - n * interval '1 min'
       from generate_series(1, ${posts}) n`
    )
  )
  const pause = path.join(plugins, 'pause')
  const env = writeWaitingPlugin(pause)
  const folder = path.join(place.home, 'export', 'posts')
  const unfinished = () => filesUnder(folder).filter(file => !/\.(json|html)$/.test(file))
  const begin = async () => {
    rmSync(path.dirname(folder), { recursive: true, force: true })
    writeFileSync(pause, '')
    const running = place.start(['export', 'rebuild'], { env })
    await until(() => existsSync(folder) && readdirSync(folder).some(name => name.endsWith('.json')), 'a file')
    return running
  }
  const interruptExport = async () => {
    await interrupt(await begin())
    rmSync(pause)
  }
  await interruptExport()
  assert.deepEqual(unfinished(), [])
  assert.ok(readdirSync(folder).filter(name => name.endsWith('.json')).length < posts)
  assert.equal(existsSync(path.join(place.home, 'export', 'manifest.json')), false)
  // The lease of a dead process would last for 20 s, and of one that ended while the plugin kept it waiting.
  const freeLease = () => withDatabase(db => db.query('update export_state set holder = null'))
  await freeLease()
  await kill(await begin())
  rmSync(pause)
  await freeLease()
  const report = await json(['export', 'rebuild'])
  assert.equal(report.posts, posts)
  assert.deepEqual(unfinished(), [])
  // Jobs export, too.
  const running = place.start(['serve', '--no-worker'], { env })
  await running.says(/galley is ready/)
  await interruptExport()
  assert.equal((await json(['export', 'rebuild'])).posts, posts)
  running.child.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
})

test('an export to a bucket that is killed at any step is gone on from, and nothing is left over', async () => {
  const storage = await startObjectStorage()
  const has = (key: string) => storage.objects.has(`blog/${key}`)
  try {
    await withDatabase(db =>
      db.query(
        `insert into app_settings (key, value)
         values ('storage_endpoint', $1), ('storage_access_key', 'AKIA'), ('export_target', 's3://site/blog')`,
        [storage.url]
      )
    )
    await json(['settings', 'set', 'storage_secret_key', 'secret'])
    // A post, a page of a list, and what names all: the first time none is there, later the one before is.
    const steps = ['posts/post-30.json', 'archive/index.html', 'manifest.json']
    for (const [at, step] of steps.entries()) {
      let isReached = false
      // It never arrives: its process is gone.
      const stop = ({ method, key }: ObjectRequest) => {
        if (method !== 'PUT' || key !== `blog/${step}`) return null
        isReached = true
        return new Promise(() => {})
      }
      storage.holdWith(stop)
      const running = place.start(['export', 'rebuild'])
      await until(() => isReached, step)
      await kill(running)
      assert.deepEqual([has(step), has('manifest.json'), has('.galley-export')], [false, false, true])
      const slug = `post-${at + 1}`
      await withDatabase(async db => {
        await db.query(`update posts set status = 'archived' where slug = $1`, [slug])
        // The lease of the dead process would last for 20 s.
        await db.query('update export_state set holder = null')
      })
    }
    storage.holdWith(() => null)
    assert.equal((await json(['export', 'refresh'])).posts, posts - steps.length)
    assert.deepEqual(
      [has('posts/post-1.json'), has('posts/post-1/index.html'), has('posts/post-4.json')],
      [false, false, true]
    )
    assert.equal((await json(['export', 'verify'])).findings, 0)
  } finally {
    await storage.close()
  }
})

test('an import that is interrupted or killed is gone on from by the next, and nothing is there twice', async () => {
  const blog = path.join(plugins, 'blog')
  const images = path.join(place.home, 'media', 'images')
  mkdirSync(blog)
  for (let n = 0; n < 120; n += 1)
    writeFileSync(
      path.join(blog, `sea-${String(n).padStart(3, '0')}.md`),
      `---\ntitle: Sea ${n}\ndate: 2020-01-01\n---\nText.${n === 99 ? '\n\n![a](a.png)' : ''}`
    )
  writeFileSync(
    path.join(blog, 'a.png'),
    await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
  )
  await withDatabase(db =>
    db.script(`create function linger() returns trigger language plpgsql as
        $$ begin if new.source_id = 'sea-060.md' then perform pg_sleep(600); end if; return new; end $$;
      create trigger linger before insert on imported_posts for each row execute function linger()`)
  )
  const counts = () =>
    withDatabase(async db =>
      (
        await db.query<{ imported: number; posts: number }>(
          `select (select count(*) from imported_posts) as imported, count(*) as posts from posts where slug like 'sea-%'`
        )
      ).map(({ imported, posts: all }) => [imported, all])
    )
  // The embedded database ends its statement first, which here takes for ever.
  for (const stop of server === undefined ? [kill] : [interrupt, kill]) {
    rmSync(images, { recursive: true, force: true })
    const running = place.start(['import', 'markdown', blog])
    // The picture is of the second batch, which is never stored; the first one is by then, or is being written.
    await until(() => existsSync(images) && readdirSync(images).some(name => name.endsWith('.png')), 'a picture')
    await stop(running)
    const [[imported = 0, all] = []] = await counts()
    assert.ok(imported === all && imported <= 50, `${imported} of ${all}`)
  }
  await withDatabase(db => db.script('drop function linger() cascade'))
  const { imported, unchanged } = await json(['import', 'markdown', blog])
  assert.equal(imported + unchanged, 120)
  assert.deepEqual(await counts(), [[120, 120]])
  assert.equal(readdirSync(images).length, 1)
})
