import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { markAllChanged } from '../../../plugins/export/repository/changes.ts'
import { followChanges, type Interruptions } from '../../../plugins/export/shown-posts.ts'
import { createSurfaces } from '../../../plugins/export/surfaces.ts'
import { alwaysYield, neverYield } from '../../../plugins/export/yield-check.ts'
import { PublishedPostsService } from '../../../plugins/posts/index.ts'
import { filesUnder } from '../../helpers/files-under.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startService({ worker: false })
  folder = path.join(service.home, 'export')
})
after(() => service.close())
beforeEach(async () => {
  await service.db.script(
    "truncate posts, categories cascade; delete from site_related; insert into categories (slug, name) values ('sea', 'Sea'), ('land', 'Land')"
  )
  rmSync(folder, { recursive: true, force: true })
})

const sql = (text: string) => service.db.script(text)
async function run(name: string): Promise<void> {
  const { status, err } = await runCommand(service.kernel, 'export', name, '--json')
  assert.equal(status, 0, err)
}
/** Every file but those that say when it was written. */
const content = () =>
  Object.fromEntries(
    filesUnder(folder)
      .map(file => path.relative(folder, file))
      .filter(file => !/\b(feed|manifest)/.test(file))
      .map(file => [file, readFileSync(path.join(folder, file), 'utf8')])
  )

const insertPosts = (count: number) =>
  sql(`insert into posts (slug, title, content, content_html, status, category, published_at, tags, tag_slugs, media)
       select 'page-' || n, 'Page ' || n, 'text', '<p>text</p>', 'published', case when n % 3 > 0 then 'sea' end,
         timestamptz '2026-06-30 12:00Z' - interval '1 day' * n, '{Moon}', '{moon}', '{podcast}'
       from generate_series(1, ${count}) n`)
const edited = 'revision = revision + 1'
const numberOf = (slug: string) => `(select post_no from posts where slug = '${slug}')`

test('after any change the export is what it would be if it were written anew', async () => {
  await insertPosts(60)
  await run('rebuild')
  const changes = {
    'an edit': `update posts set title = 'New', ${edited} where slug = 'page-20'`,
    'a withdrawal': `update posts set status = 'archived' where slug = 'page-21'`,
    'neighbours withdrawn together': `update posts set status = 'draft', published_at = null where slug in ('page-30', 'page-31', 'page-32')`,
    'published again': `update posts set status = 'published' where slug = 'page-21'`,
    'another category and tag': `update posts set category = 'land', tags = '{Sun,Moon}', tag_slugs = '{sun,moon}', ${edited} where slug = 'page-5'`,
    'another name of a tag': `update posts set tags = '{MOON}', ${edited} where slug = 'page-1'`,
    'moved to another year': `update posts set published_at = '2024-02-03', ${edited} where slug = 'page-7'`,
    'moved and withdrawn, one after the other': `update posts set published_at = '2026-06-01 00:00Z', ${edited} where slug = 'page-8';
      update posts set status = 'archived' where slug = 'page-8'`,
    'no episode any more': `update posts set media = '{}', ${edited} where slug = 'page-9'`,
    'related posts': `insert into site_related (post_no, revision, among, related)
      select ${numberOf('page-40')}, 1, 60, array[${numberOf('page-50')}, ${numberOf('page-10')}]`,
    'a related post withdrawn': `update posts set status = 'archived' where slug = 'page-50'`,
    'a related post published again': `update posts set status = 'published' where slug = 'page-50'`,
    'a deleted row': `delete from posts where slug = 'page-41'`,
    'another slug': `update posts set slug = 'other', ${edited} where slug = 'page-11'`,
    'no post': 'delete from posts'
  }
  for (const [what, change] of Object.entries(changes)) {
    await sql(change)
    await run('refresh')
    const followed = content()
    await run('verify')
    await run('rebuild')
    assert.deepEqual(followed, content(), what)
  }
})

test('lists follow the time zone of their calendar', async () => {
  await insertPosts(1)
  await sql(`update posts set published_at = '2025-12-31 23:30Z'`)
  await run('refresh')
  assert.ok(content()['archive/2025-12/index.html'])
  await service.kernel.settings.set('operator_timezone', 'Europe/Berlin')
  await run('refresh')
  const { 'archive/2026-01/index.html': january, 'archive/2025-12/index.html': december } = content()
  assert.ok(january !== undefined && december === undefined)
})

test('a post is exported once its time has come, without another change', async () => {
  await insertPosts(2)
  await sql(`update posts set published_at = now() + interval '3 seconds' where slug = 'page-1'`)
  await run('refresh')
  const isThere = () => 'posts/page-1.json' in content()
  assert.ok(!isThere())
  await until(async () => {
    await run('refresh')
    return isThere()
  }, 'the post')
  assert.match(content()['posts/page-2/index.html'] ?? '', /page-1/)
})

describe('all posts computed again', () => {
  const follow = async ({ mustYield, throttle = async () => {} }: Partial<Interruptions>, timeZone = 'UTC') => {
    let parts = 1
    const counted = async () => {
      parts += 1
      await throttle()
    }
    const published = service.kernel.service(PublishedPostsService)
    assert.ok(published)
    const deps = { db: service.db, published, surfaces: createSurfaces(), timeZone: () => timeZone }
    const isCurrent = await followChanges(deps, { throttle: counted, mustYield: mustYield ?? neverYield })
    return { isCurrent, parts }
  }
  const stored = async () => [
    await service.db.query('select * from export_posts order by post_no'),
    await service.db.query('select * from export_lists order by kind, slug, period')
  ]
  const posts = (table: string) => `select sum(posts)::int as posts from export_lists where kind = '${table}'`
  beforeEach(() => sql('truncate export_posts, export_lists, export_progress, export_changes'))

  test('give way to a withdrawal, which is followed meanwhile', async () => {
    await insertPosts(2500)
    assert.deepEqual(await follow({ mustYield: alwaysYield }), { isCurrent: true, parts: 3 }, 'the first time')
    const yielded = await follow({ mustYield: alwaysYield }, 'Pacific/Kiritimati')
    assert.deepEqual(yielded, { isCurrent: false, parts: 1 })
    await sql(`update posts set status = 'archived' where slug in ('page-20', 'page-2400')`)
    await follow({ mustYield: alwaysYield }, 'Pacific/Kiritimati')
    assert.deepEqual(await service.db.query(posts('tags')), [{ posts: 2498 }])
    assert.deepEqual(await follow({}, 'Pacific/Kiritimati'), { isCurrent: true, parts: 1 })
    const followed = await stored()
    await sql('truncate export_posts, export_lists, export_progress')
    await follow({}, 'Pacific/Kiritimati')
    assert.deepEqual(await stored(), followed)
  })

  test('go on where a run ended, and mend what is stored', async () => {
    await insertPosts(2500)
    await assert.rejects(follow({ throttle: () => Promise.reject(new Error('killed')) }), /killed/)
    assert.deepEqual(await follow({}), { isCurrent: true, parts: 2 })
    const before = await stored()
    await sql(`update export_lists set posts = 7, hash = 7 where kind = 'archive'; delete from export_lists where kind = 'podcast';
      insert into export_lists values ('categories', 'gone', 2026, 3, 5);
      update export_posts set category = 'land' where post_no % 7 = 0; delete from export_posts where post_no % 5 = 0;
      insert into export_posts select 1000000 + n, now(), 1, 'sea', '{moon}', true, null, '{}' from generate_series(1, 9) n`)
    await markAllChanged(service.db)
    await follow({})
    assert.deepEqual(await stored(), before)
  })
})
