import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ExportService } from '../../../plugins/export/index.ts'
import { endExportLease, takeExportLease } from '../../../plugins/export/repository/export.ts'
import { filesUnder } from '../../helpers/files-under.ts'
import { findingOf } from '../../helpers/finding.ts'
import { commandsOf } from '../../helpers/kernel.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { recordSession } from '../../helpers/session.ts'
import { until } from '../../helpers/until.ts'
import { exportOf } from './exported.ts'

let service: TestService
let files: ReturnType<typeof exportOf>
before(async () => {
  service = await startService({ worker: false })
  files = exportOf(service)
})
after(() => service.close())
beforeEach(async () => {
  await service.db.script('truncate posts, categories cascade')
  rmSync(files.at(''), { recursive: true, force: true })
  await service.kernel.settings.set('export_target', '')
})

const rebuild = async () => {
  const answer = await service.bearer('POST', '/api/export/rebuild')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
describe('POST /api/export/rebuild', () => {
  test('writes every surface as the API answers it', async () => {
    await makePublicPost(service, { title: 'Tides', excerpt: 'Why & when', category: 'sea', tags: ['Moon', 'Water'] })
    await makePublicPost(service, { title: 'Honey bees', category: 'land', tags: ['Water'] })
    const report = await rebuild()
    assert.equal(report.posts, 2)
    assert.deepEqual(files.postFiles(), ['honey-bees.json', 'index.json', 'tides.json'])
    assert.deepEqual(files.json('posts/tides.json'), (await service.anonymous('GET', '/api/posts/tides')).body)
    const { items } = (await service.anonymous('GET', '/api/posts')).body
    assert.deepEqual(files.json('posts/index.json'), { items, total: 2, limit: 2, offset: 0 })
    for (const name of ['categories', 'tags']) {
      assert.deepEqual(files.json(`${name}.json`).items, (await service.anonymous('GET', `/api/${name}`)).body.items)
    }
    assert.equal(files.text('feed.xml'), (await service.anonymous('GET', '/feed.xml')).body)
    assert.deepEqual(
      files.json('feed.json').items.map((item: { title: string }) => item.title),
      ['Honey bees', 'Tides']
    )
    assert.equal(files.json('feed.json').items[1].summary, 'Why & when')
    assert.match(files.text('sitemap.xml'), new RegExp(`<loc>${service.url}/posts/tides</loc>`))
  })

  test('counts and sums what the manifest lists', async () => {
    await makePublicPost(service, { title: 'Tides' })
    const report = await rebuild()
    const manifest = files.json('manifest.json')
    const part = files.json(manifest.parts[0].path)
    const listed: { path: string; bytes: number; sha256: string }[] = [
      ...[...manifest.files, ...manifest.parts, ...manifest.groups, ...part.files],
      ...part.posts.flatMap((post: { files: object[] }) => post.files),
      ...manifest.groups.flatMap(({ path: file }: { path: string }) =>
        files.json(file).groups.flatMap((group: { files: object[] }) => group.files)
      )
    ]
    for (const { path: file, bytes, sha256 } of listed) {
      assert.equal(statSync(files.at(file)).size, bytes)
      assert.equal(
        createHash('sha256')
          .update(readFileSync(files.at(file)))
          .digest('hex'),
        sha256
      )
    }
    const bytes = listed.reduce((sum, file) => sum + file.bytes, statSync(files.at('manifest.json')).size)
    assert.deepEqual(
      { ...report, duration_ms: 0 },
      { posts: 1, files: listed.length + 1, unfinished: 0, removed: 0, bytes, duration_ms: 0 }
    )
  })

  test('needs a token', async () => {
    assert.equal((await service.anonymous('POST', '/api/export/rebuild')).status, 401)
  })

  test('goes on as a job once its caller has waited', async () => {
    await makePublicPost(service, { title: 'Tides' })
    // Somebody else writes for as long as this row says so.
    const other = `insert into export_state (holder, expires_at) values (gen_random_uuid(), now() + interval '1 hour')
      on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at`
    await service.db.query(other)
    const asked = await service.bearer('POST', '/api/export/rebuild', undefined, { prefer: 'respond-async, wait=0' })
    assert.equal(asked.status, 202)
    const { job_id } = asked.body
    const place = `/api/export/jobs/${job_id}`
    assert.deepEqual([asked.body, asked.headers.get('location')], [{ job_id }, place])
    const job = async () => (await service.bearer('GET', place)).body
    const { started_at: _, updated_at: __, ...running } = await job()
    const shown = { job_id, state: 'running', posts: 0, public_posts: 1, report: null, error: null }
    assert.deepEqual(running, shown)
    await service.db.query('update export_state set holder = null')
    await until(async () => (await job()).state === 'done')
    const { report, posts } = await job()
    assert.deepEqual([posts, report.posts], [1, 1])
    assert.ok(existsSync(files.at('posts/tides.json')))
    await service.db.query(`update export_rebuilds set state = 'running', seen_at = now() - interval '1 minute'`)
    assert.match(JSON.stringify(await job()), /"failed".*Its process ended/)
    assert.equal((await service.bearer('GET', '/api/export/jobs/none')).status, 404)
    assert.equal((await service.anonymous('GET', place)).status, 401)
  })

  test('takes a site of several pages', async () => {
    await service.db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'page-' || n, 'Page ' || n, 'text', '<p>text</p>', 'published', now() - interval '1 hour' * (n % 7) from generate_series(1, 405) n`
    )
    assert.equal((await rebuild()).posts, 405)
    assert.equal(new Set(files.slugs()).size, 405)
    assert.equal(files.postFiles().length, 406)
  })

  test('removes files of posts that are not public and what a killed process left, and nothing else', async () => {
    const gone = await makePublicPost(service, { title: 'Gone' })
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    await service.db.query('delete from posts where post_id = $1', [gone.post_id])
    const unfinished = `.galley-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.tmp`
    for (const file of ['posts/own-note.json', `posts/${unfinished}`, 'posts/readme.txt', 'notes.txt'])
      writeFileSync(files.at(file), '{}')
    assert.equal((await rebuild()).removed, 2)
    assert.ok(!existsSync(files.at('posts/gone')))
    const others = [unfinished, 'own-note.json', 'readme.txt']
    assert.deepEqual(files.postFiles(), [...others, 'index.json', 'tides.json'].sort())
    // A run that was interrupted is followed by one that cleans up.
    utimesSync(files.at(`posts/${unfinished}`), 0, 0)
    writeFileSync(files.at('.galley-export'), 'writing\n')
    await rebuild()
    assert.deepEqual(files.postFiles(), ['index.json', 'own-note.json', 'readme.txt', 'tides.json'])
  })

  test('removes what a rebuild began that was killed before its manifest, once the post is withdrawn', async () => {
    await makePublicPost(service, { title: 'Tides' })
    await rebuild()
    const { post_id } = await makePublicPost(service, { title: 'Begun' })
    writeFileSync(files.at('.galley-export'), 'writing\nposts/begun.json\nposts/../../outside.json\nposts/cu')
    writeFileSync(files.at('posts/begun.json'), JSON.stringify({ post_id, slug: 'begun' }))
    await service.db.query('delete from posts where post_id = $1', [post_id])
    assert.equal((await rebuild()).removed, 1)
    assert.deepEqual(files.postFiles(), ['index.json', 'tides.json'])
    // What others put there since is theirs.
    writeFileSync(files.at('.galley-export'), 'writing\nposts/begun.json\n')
    writeFileSync(files.at('posts/begun.json'), '{}')
    assert.equal((await rebuild()).removed, 0)
    assert.ok(existsSync(files.at('posts/begun.json')))
  })

  for (const slug of ['../../evil', 'index', 'UPPER', '.hidden', 'a/b']) {
    test(`makes no file of the slug ${slug}`, async () => {
      await service.db.query(
        `insert into posts (slug, title, content, content_html, status, published_at) values ($1, 't', 'c', 'c', 'published', now())`,
        [slug]
      )
      assert.equal((await rebuild()).posts, 0)
      assert.deepEqual(files.slugs(), [])
      assert.ok(!existsSync(files.at(`posts/${slug}.json`)) || slug === 'index')
    })
  }
})

describe('the setting export_target', () => {
  test('is another folder', async () => {
    const folder = path.join(service.home, 'elsewhere of mine')
    for (const target of [`file:${folder}`, `file://${folder}`]) {
      await service.kernel.settings.set('export_target', target)
      await rebuild()
      assert.deepEqual(readdirSync(folder).includes('manifest.json'), true)
    }
  })

  for (const value of [
    's3://Bucket/prefix',
    'gopher://bucket/prefix',
    'file://host/folder',
    'file:relative',
    '/srv/export',
    'file:/a?b',
    'file:///a%2e'
  ]) {
    test(`refuses ${value}`, async () => {
      await assert.rejects(service.kernel.settings.set('export_target', value), { code: 'VALIDATION_ERROR' })
    })
  }

  for (const folder of ['', '..', 'data', 'media/2026', 'backups'])
    test(`refuses a folder with files that are for nobody else: ${folder || 'the home'}`, async () => {
      const target = `file:${path.join(service.home, folder)}`
      await assert.rejects(service.kernel.settings.set('export_target', target), {
        code: 'VALIDATION_ERROR',
        message: /must name a folder of its own/
      })
    })

  test('refuses a link to the home', async () => {
    const link = path.join(service.home, 'export-link')
    symlinkSync(service.home, link)
    for (const target of [`file:${link}`, `file:${link}/data`, `file:${link}/data/new`])
      await assert.rejects(service.kernel.settings.set('export_target', target), { code: 'VALIDATION_ERROR' }, target)
    rmSync(link)
  })

  test('that is no folder is reported, with its name', async () => {
    const file = path.join(service.home, 'a-file')
    writeFileSync(file, '')
    await service.kernel.settings.set('export_target', `file:${file}`)
    const answer = await service.bearer('POST', '/api/export/rebuild')
    assert.deepEqual([answer.status, answer.body.error_code], [503, 'SERVICE_UNAVAILABLE'])
    assert.match(answer.body.message, /a-file cannot be used/)
  })
})

describe('a folder with files of others', () => {
  const folder = () => path.join(service.home, 'shared')
  const at = (file: string) => path.join(folder(), file)
  const refused = async (says: RegExp) => {
    const before = contentsOf(folder())
    const { status, body } = await service.bearer('POST', '/api/export/rebuild')
    assert.equal(status, 503)
    assert.match(body.message, says)
    assert.deepEqual(contentsOf(folder()), before)
  }
  beforeEach(async () => {
    rmSync(folder(), { recursive: true, force: true })
    mkdirSync(at('posts'), { recursive: true })
    await service.kernel.settings.set('export_target', `file:${folder()}`)
    await makePublicPost(service, { title: 'Tides' })
  })

  test('leaves them, whatever they are named, and gets the export beside them', async () => {
    for (const file of ['notes.txt', 'posts/notes.md', 'posts/mine.json']) writeFileSync(at(file), 'mine')
    await rebuild()
    for (const file of ['notes.txt', 'posts/notes.md', 'posts/mine.json'])
      assert.equal(readFileSync(at(file), 'utf8'), 'mine')
  })

  for (const file of ['manifest.json', 'feed.xml', 'index.html', 'posts/index.json']) {
    test(`is refused where its ${file} would be replaced`, async () => {
      writeFileSync(at(file), '{"name":"an app"}')
      await refused(new RegExp(`has a file ${file} that no export wrote`))
    })
  }

  test('is refused where a post would replace one', async () => {
    writeFileSync(at('posts/tides.json'), 'mine')
    await assert.rejects(rebuild())
    assert.equal(readFileSync(at('posts/tides.json'), 'utf8'), 'mine')
  })

  test('is refused again until the file is moved away, and shows nothing that was withdrawn meanwhile', async () => {
    const { post_id } = await makePublicPost(service, { title: 'Soon gone' })
    await rebuild()
    const mine = ['posts/mine-here.json', 'posts/mine-here/index.html']
    mkdirSync(at('posts/mine-here'))
    for (const file of mine) writeFileSync(at(file), '{"mine":1}')
    await makePublicPost(service, { title: 'Mine here' })
    await assert.rejects(rebuild(), /mine-here.* that no export wrote/)
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    for (const command of [rebuild, () => service.run('export', 'verify', '--fix')])
      await Promise.resolve(command()).catch(() => {})
    for (const file of mine) assert.equal(readFileSync(at(file), 'utf8'), '{"mine":1}')
    const index = readFileSync(at('posts/index.json'), 'utf8')
    assert.doesNotMatch(index, /soon-gone/)
    for (const file of mine) rmSync(at(file))
    await rebuild()
    assert.match(readFileSync(at('posts/index.json'), 'utf8'), /mine-here/)
    for (const file of mine) assert.match(readFileSync(at(file), 'utf8'), /Mine here/)
  })

  const paths = [
    '../outside.json',
    '/etc/hosts',
    'posts/../robots.txt',
    'posts/a/b.json',
    'robots.txt',
    'posts/index.json'
  ]
  for (const wrong of paths) {
    test(`is refused where the manifest was made to name ${wrong} as a post's`, async () => {
      await rebuild()
      const part = JSON.parse(readFileSync(at('manifest/0.json'), 'utf8'))
      part.posts[0].files[0].path = wrong
      writeFileSync(at('manifest/0.json'), JSON.stringify(part))
      await refused(/manifest\/0\.json in the export target .* names .*, which no export writes/)
    })
  }

  test('is refused where a link leads out of it', async () => {
    const outside = path.join(service.home, 'outside')
    mkdirSync(outside, { recursive: true })
    rmSync(at('posts'), { recursive: true })
    symlinkSync(outside, at('posts'))
    await assert.rejects(rebuild(), /posts in the folder .* is a link/)
    assert.deepEqual(readdirSync(outside), [])
    rmSync(at('posts'))
    await rebuild()
    rmSync(at('manifest.json'))
    symlinkSync('/etc/hostname', at('manifest.json'))
    await assert.rejects(rebuild(), /manifest\.json in the folder .* is a link/)
  })
})

/** Every file of a folder with its text. */
const contentsOf = (folder: string) => filesUnder(folder).map(file => [file, readFileSync(file, 'utf8')])

const { terminal } = recordSession()
const unread = { print: () => {}, closed: new AbortController().signal }

/** As `galley export rebuild` does. */
async function runCommand({ kernel }: TestService) {
  const command = (await commandsOf(kernel, 'export')).rebuild
  assert.ok(command !== undefined)
  const report = await command.run({ args: {}, isJson: true, terminal, actor: 'operator', output: unread })
  return { report, text: command.text(report, terminal, {}) }
}

describe('a post that leaves its place while its page is written anew', () => {
  /** Shows something else at each run, and does something in the middle of one. */
  let meanwhile = async () => {}
  let shown = 0
  before(() =>
    service.service(ExportService)?.register({
      name: 'changing',
      key: () => '',
      listPaths: () => [],
      postPaths: () => [],
      postFiles: async (_, posts) => {
        await meanwhile()
        return posts.map(() => ({ files: [], dependencies: `${shown}` }))
      },
      dependencies: () => ({
        of: async (_, post_nos) => new Map(post_nos.map(post_no => [post_no, { text: `${shown}`, post_nos: [] }])),
        dependents: async () => []
      }),
      listFiles: () => []
    })
  )
  after(() => {
    meanwhile = async () => {}
  })

  for (const [what, change] of [
    ['withdrawn', "status = 'archived'"],
    ['moved', "slug = 'high-tides'"]
  ] as const)
    test(`${what}: its file is gone with that run`, async () => {
      const tides = await makePublicPost(service, { title: 'Tides' })
      await makePublicPost(service, { title: 'Honey bees' })
      meanwhile = async () => {}
      await rebuild()
      shown++
      await service.db.query('update posts set title = title')
      meanwhile = async () => {
        await service.db.query(`update posts set ${change} where post_id = $1`, [tides.post_id])
      }
      await runCommand(service)
      assert.ok(!existsSync(files.at('posts/tides.json')))
      assert.ok(!existsSync(files.at('posts/tides/index.html')))
    })
})

test('after a restore every file is made again: a text may have the revision of another one', async () => {
  await makePublicPost(service, { title: 'Tides' })
  await runCommand(service)
  await service.db.query(`update posts set title = 'Ebb' where slug = 'tides'`)
  const plugin = service.kernel.plugins.find(({ plugin }) => plugin.name === 'export')
  await service.db.transaction(async tx => plugin?.contribution.onRestore?.(tx, AbortSignal.timeout(10_000)))
  assert.match((await service.run('export', 'verify')).out, /outdated: manifest\.json/)
  assert.equal((await service.run('export', 'refresh')).status, 0)
  assert.equal(files.json('posts/tides.json').title, 'Ebb')
  assert.match(files.text('posts/tides/index.html'), /<h1>Ebb</)
  assert.equal((await service.run('export', 'verify')).status, 0)
})

test('galley export rebuild answers the report', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const { report, text } = await runCommand(service)
  assert.equal(report.posts, 1)
  assert.match(text, /^1 post in 23 files, \d+ bytes, in \d+ ms; 0 stale files removed\.$/)
})

test('doctor asks for public_url where a target is set, since each process would write its own address into all files', async () => {
  await makePublicPost(service, { title: 'Tides' })
  await rebuild()
  const byDefault = await findingOf(service.kernel, 'static export')
  assert.equal(byDefault.status, 'ok', 'nobody asked for the export in the home')
  assert.match(byDefault.found, /^last written at \S+; before you use its files, set public_url/)
  await service.kernel.settings.set('export_target', `file:${files.at('')}`)
  const finding = await findingOf(service.kernel, 'static export')
  assert.equal(finding.status, 'degraded')
  assert.match(JSON.stringify(finding), /public_url is empty.*Set public_url/)
  await service.kernel.settings.set('public_url', 'https://tides.example')
  const { status, found } = await findingOf(service.kernel, 'static export')
  assert.deepEqual([status, /public_url/.test(found)], ['ok', false])
  await service.kernel.settings.set('public_url', '')
})

test('galley export verify says that there is no export, before the first one and where it was removed', async () => {
  await makePublicPost(service, { title: 'Tides' })
  const verify = async () => {
    const { status, out } = await service.run('export', 'verify')
    assert.deepEqual(
      [status, out.trim()],
      [1, `${files.at('.')}: there is no export. galley export rebuild writes it.`]
    )
  }
  await verify()
  await rebuild()
  for (const name of readdirSync(files.at('.'))) rmSync(files.at(name), { recursive: true })
  await verify()
})

test('a command says that it waits for the export of another process', async () => {
  await makePublicPost(service, { title: 'Tides' })
  for (const name of ['rebuild', 'refresh', 'verify']) {
    const holder = randomUUID()
    assert.ok(await takeExportLease(service.db, holder, 60, 'file:elsewhere'))
    const notes: string[] = []
    const note = (line: string) => {
      notes.push(line)
      void endExportLease(service.db, holder)
    }
    const command = (await commandsOf(service.kernel, 'export'))[name]
    const recorded = { ...terminal, note }
    await command?.run({ args: {}, isJson: true, terminal: recorded, actor: 'operator', output: unread })
    assert.match(notes.join('\n'), /^Another process is exporting: this run begins when that one has ended\./)
  }
})

test('the export of another database is replaced only when its place is taken', async t => {
  const target = files.at('one-target')
  const settings = { export_target: `file:${target}` }
  const one = await startService({ worker: false, settings })
  const two = await startService({ worker: false, settings })
  t.after(() => Promise.all([one.close(), two.close()]))
  const tides = await makePublicPost(one, { title: 'Tides' })
  assert.equal((await one.run('export', 'refresh')).status, 0)
  // As in a copy that is restored for a drill, where posts have the same ids.
  await makePublicPost(two, { title: 'Tides' })
  await two.db.script(`set session_replication_role = replica; update posts set post_id = '${tides.post_id}';
    set session_replication_role = origin`)
  const before = filesUnder(target)
  const refusal = /has the export of another database: nothing was changed\..*galley export rebuild --take-over/
  for (const args of [['refresh'], ['rebuild'], ['verify'], ['verify', '--fix']]) {
    const { status, err } = await two.run('export', ...args)
    assert.deepEqual([status, refusal.test(err)], [1, true], err)
  }
  assert.match((await findingOf(two.kernel, 'static export')).found, refusal)
  await two.bearer('POST', `/api/posts/${tides.post_id}/unpublish`)
  await assert.rejects(async () => (await two.service(ExportService))?.refresh(new AbortController().signal), refusal)
  assert.deepEqual(filesUnder(target), before)
  assert.equal((await two.run('export', 'rebuild', '--take-over')).status, 0)
  assert.equal(existsSync(path.join(target, 'posts/tides.json')), false)
  assert.equal((await two.run('export', 'refresh')).status, 0)
  assert.match((await one.run('export', 'refresh')).err, refusal)
  // While the first run writes, the marker alone names the database.
  rmSync(path.join(target, 'manifest.json'))
  const marker = path.join(target, '.galley-export')
  writeFileSync(marker, `writing ${readFileSync(marker, 'utf8')}`)
  assert.match((await one.run('export', 'refresh')).err, refusal)
  assert.match((await one.run('export', 'verify')).err, refusal)
  assert.equal((await two.run('export', 'refresh')).status, 0)
  // A taking over that is interrupted leaves the manifest of the other.
  const foreseen = readFileSync(path.join(target, 'manifest.json'), 'utf8')
  writeFileSync(
    path.join(target, 'manifest.json'),
    foreseen.replace(/"exporter":"\w+"/, '"exporter":"0123456789abcdef"')
  )
  assert.equal((await two.run('export', 'refresh')).status, 0)
})

test('a copy removes nothing where the marker names no database, and the next run of the owner names it', async t => {
  const target = files.at('unnamed')
  const settings = { export_target: `file:${target}` }
  const one = await startService({ worker: false, settings })
  const two = await startService({ settings })
  t.after(() => Promise.all([one.close(), two.close()]))
  const tides = await makePublicPost(one, { title: 'Tides' })
  assert.equal((await one.run('export', 'refresh')).status, 0)
  const marker = path.join(target, '.galley-export')
  const named = readFileSync(marker, 'utf8')
  await makePublicPost(two, { title: 'Tides' })
  await two.db.script(`set session_replication_role = replica; update posts set post_id = '${tides.post_id}';
    set session_replication_role = origin`)
  const untilIdle = () =>
    until(async () => {
      const jobs = await two.kernel.jobs.stats()
      return jobs.every(({ queue, ready, active }) => !/^export\.|\/export$/.test(queue) || ready + active === 0)
    })
  await untilIdle()
  writeFileSync(marker, '')
  await two.bearer('POST', `/api/posts/${tides.post_id}/unpublish`)
  await untilIdle()
  assert.ok(existsSync(path.join(target, 'posts/tides.json')))
  assert.equal((await one.run('export', 'refresh')).status, 0)
  assert.equal(readFileSync(marker, 'utf8'), named)
})

test('a backup from before the first export may be restored in the same home', async t => {
  const target = files.at('restored')
  const one = await startService({ worker: false, settings: { export_target: `file:${target}` } })
  t.after(() => one.close())
  assert.equal((await one.run('export', 'refresh')).status, 0)
  const { contribution } = one.kernel.plugins.find(({ plugin }) => plugin.name === 'export') ?? {}
  await one.db.transaction(async tx => {
    // As the rows of the backup have it.
    await tx.query('delete from export_state')
    await contribution?.onRestore?.(tx, new AbortController().signal)
  })
  const { status, err } = await one.run('export', 'refresh')
  assert.equal(status, 0, err)
})

test('a new database in the same home has another export', async t => {
  const target = files.at('one-home')
  const one = await startService({ worker: false, settings: { export_target: `file:${target}` } })
  t.after(() => one.close())
  await makePublicPost(one, { title: 'Tides' })
  assert.equal((await one.run('export', 'refresh')).status, 0)
  const two = await startService({ worker: false, home: one.home, settings: { export_target: `file:${target}` } })
  t.after(() => two.close())
  const { status, err } = await two.run('export', 'refresh')
  assert.deepEqual([status, /has the export of another database/.test(err)], [1, true], err)
  assert.ok(existsSync(path.join(target, 'posts/tides.json')))
})

test('all who ask at once are answered, in two processes on one folder', async () => {
  const one = await startService({ worker: false, settings: { export_target: `file:${files.at('shared')}` } })
  const two = await startService({ worker: false, db: one.db, home: one.home })
  try {
    await makePublicPost(one, { title: 'Tides' })
    const answers = await Promise.all([one, one, one, two, two].map(runCommand))
    for (const { report } of answers) assert.deepEqual([report.posts, report.files, report.removed], [1, 23, 0])
    assert.deepEqual(readdirSync(files.at('shared/posts')).sort(), ['index', 'index.json', 'tides', 'tides.json'])
  } finally {
    await two.close()
    await one.close()
  }
})
