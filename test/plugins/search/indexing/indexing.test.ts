import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { crc32 } from 'node:zlib'
import type { Db } from '../../../../core/contract/database.ts'
import { searchChecks } from '../../../../plugins/search/checks.ts'
import { createIndexing } from '../../../../plugins/search/indexing/indexing.ts'
import { inspectIndex } from '../../../../plugins/search/indexing/inspection.ts'
import { recordDamage } from '../../../../plugins/search/indexing/record-damage.ts'
import type { LatentIndexing } from '../../../../plugins/search/latent/latent-indexing.ts'
import { createSegment } from '../../../../plugins/search/repository/segments.ts'
import { until } from '../../../helpers/until.ts'
import { type Harness, makePost, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())
beforeEach(async () => {
  harness.values.search_language = 'english'
  await clear()
})

async function clear(): Promise<void> {
  await harness.db.script('delete from posts; delete from search_postings; delete from search_segments')
  await harness.touch()
}
const index = () => harness.index()
const find = async (q: string) => {
  const { statusCode, body } = await harness.app.inject(`/api/posts/search?q=${encodeURIComponent(q)}`)
  assert.equal(statusCode, 200, body)
  const { items, degraded } = JSON.parse(body) as { items: { title: string }[]; degraded?: boolean }
  return { titles: items.map(({ title }) => title).sort(), degraded }
}
const titles = async (q: string) => (await find(q)).titles
const status = async () => {
  const found = await harness.search.status()
  assert.ok('segments' in found)
  return found
}
const segments = () =>
  harness.db.query<{ segment_id: number; posts: number }>(
    'select segment_id, posts from search_segments where retired_at is null and last_generation is not null order by 1'
  )
async function publish(title: string, body: string, { language }: { language?: string } = {}) {
  const post = await makePublic(harness, { title, body })
  if (language !== undefined) await edit(post.post_id, { language })
  return post
}
const verify = async (isFixing: boolean) => {
  const verified = await harness.search.verify({
    ...{ isFixing, signal: new AbortController().signal, onProgress: () => {} }
  })
  assert.ok('segments' in verified)
  const { segments: _, postings: __, ...found } = verified
  return found
}
const edit = (post_id: string, change: object) => harness.components.edits.edit(post_id, change, { actor: 'operator' })

test('a post is found before it stands in a segment and after, and by its present words alone', async () => {
  const { post_id } = await publish('Ferries', 'The ferry crosses the fjord. Its bell rings twice.')
  assert.equal((await status()).waiting, 1)
  assert.deepEqual(await titles('fjord'), ['Ferries'])
  await index()
  const { waiting, posts, segments: components } = await status()
  assert.deepEqual({ waiting, posts, components }, { waiting: 0, posts: 1, components: 1 })
  assert.deepEqual(await titles('fjord'), ['Ferries'])
  assert.deepEqual(await titles('"bell rings"'), ['Ferries'], 'positions, too')
  assert.deepEqual(await titles('"rings bell"'), [])
  await edit(post_id, { content: 'The ferry crosses the strait.', excerpt: null })
  for (const at of ['while it waits', 'in a later segment']) {
    assert.deepEqual(await titles('fjord'), [], at)
    assert.deepEqual(await titles('strait ferry'), ['Ferries'], at)
    await index()
  }
  await harness.components.states.archiveChecked(post_id, { actor: 'operator' }, () => {})
  assert.deepEqual(await titles('strait'), [])
})

test('a draft is indexed when it is published, and nothing is written before', async () => {
  await makePost(harness, { title: 'Quokka', body: 'Quokkas smile.' })
  await index()
  assert.deepEqual(await segments(), [])
  assert.deepEqual(await titles('quokka'), [])
})

test('segments are merged without what counts no more, while searches read the old ones', async () => {
  const edited = await publish('Edited', 'An anchor and a buoy.')
  await index()
  await edit(edited.post_id, { content: 'A capstan and a buoy.', excerpt: null })
  for (let n = 1; n <= 7; n++) {
    await publish(`Post ${n}`, `The buoy number ${n} floats.`)
    await index()
  }
  assert.deepEqual(
    (await segments()).map(({ posts }) => posts),
    [8],
    'one segment of all'
  )
  assert.equal((await titles('buoy')).length, 8)
  assert.deepEqual(await titles('anchor'), [])
  const [row] = await harness.db.query<{ rows: number }>(
    `select count(*)::int as rows from search_postings join search_segments using (segment_id)
     where retired_at is null and position('anchor'::bytea in search_postings.posts) > 0`
  )
  assert.equal(row?.rows, 0, 'what the edit took away is in no segment')
  await harness.db.query(
    "update search_segments set retired_at = now() - interval '2 minutes' where retired_at is not null"
  )
  await index()
  const [left] = await harness.db.query<{ n: number }>(
    'select count(distinct segment_id)::int as n from search_postings'
  )
  assert.equal(left?.n, 1, 'merged segments are removed after a while')
})

test('a change of language indexes all posts again, and each is found meanwhile', async () => {
  for (let n = 0; n < 3; n++) await publish(`Boot ${n}`, `Das Boot ${n} ist alt.`)
  await index()
  assert.deepEqual(await titles('booten'), [], 'English does not know the ending')
  harness.values.search_language = 'german'
  assert.equal((await status()).rebuilding, 3)
  assert.equal((await titles('boot')).length, 3)
  await index()
  assert.equal((await titles('booten')).length, 3)
  assert.deepEqual(await titles('das'), [], 'a stop word now')
  const { rebuilding, languages, segments: components } = await status()
  assert.deepEqual({ rebuilding, languages, components }, { rebuilding: null, languages: ['german'], components: 1 })
})

test('each post is indexed in its own language, and a query is read in all that occur', async () => {
  await publish('Häuser', 'Die Häuser der Fischer.', { language: 'de-AT' })
  await publish('Houses', 'The houses of the fishers.', { language: 'en' })
  await publish('Casas', 'Las casas de los pescadores.', { language: 'es' })
  await index()
  assert.deepEqual((await status()).languages, ['english', 'german', 'spanish'])
  assert.deepEqual(await titles('haus'), ['Häuser'])
  assert.deepEqual(await titles('house'), ['Houses'])
  assert.deepEqual(await titles('casa'), ['Casas'])
})

test('a damaged part of the index is said, and its posts are indexed again', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  await publish('Boats', 'A boat crosses the lake.')
  await index()
  await harness.db.query(
    "update search_postings set posts = set_byte(posts, 1, 7) where position('fjord'::bytea in posts) > 0"
  )
  await harness.touch()
  assert.deepEqual(await find('fjord'), { titles: [], degraded: true })
  assert.deepEqual(await find('lake'), { titles: ['Boats'], degraded: true }, 'the other components can be read')
  await waitUntil(async () => (await status()).damaged === 1)
  await index()
  assert.deepEqual(await find('fjord'), { titles: ['Ferries'], degraded: undefined })
  assert.equal((await status()).damaged, 0)
})

test('a row that is missing is said by each search that would need it, and its posts are indexed again', async () => {
  // None is near enough to another to be taken for it.
  const words = Array.from({ length: 400 }, (_, n) => createHash('sha256').update(String(n)).digest('hex').slice(0, 12))
  const sample = words.filter((_, n) => n % 25 === 0)
  // The last time all are missing.
  for (let row = 0, rows = 1; row <= rows; row++) {
    await clear()
    await publish('Long', `${words.join(' ')}.`)
    await index()
    const terms = await harness.db.query<{ term: string }>('select term from search_postings order by term')
    rows = terms.length
    await harness.db.query('delete from search_postings where $1::text is null or term = $1', [
      terms[row]?.term ?? null
    ])
    const found: { titles: string[]; degraded: boolean | undefined }[] = []
    for (const word of sample) found.push(await find(word))
    assert.ok(
      found.every(({ titles, degraded }) => titles.length > 0 || degraded),
      `row ${row}`
    )
    assert.ok(
      found.some(({ titles }) => titles.length === 0),
      `row ${row} is asked for`
    )
    await waitUntil(async () => (await status()).damaged === 1)
    await index()
    for (const word of sample) assert.deepEqual(await find(word), { titles: ['Long'], degraded: undefined }, word)
    assert.ok(rows >= 3)
  }
})

test('a segment that was merged since is not damaged, whoever missed its rows', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  const [segment] = await segments()
  assert.ok(segment)
  await harness.db.query('update search_segments set retired_at = now()')
  const nothing = () => assert.fail('nothing is said')
  await recordDamage({ db: harness.db, changes: { touch: nothing }, log: { error: nothing } } as never, segment)
  assert.equal((await harness.db.query('select from search_segments where is_damaged')).length, 0)
})

test('damaged positions are said by a search for a phrase, and its posts are indexed again', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  await harness.db.query('update search_postings set positions = set_byte(positions, 1, 7)')
  await harness.touch()
  assert.deepEqual(await find('ferry'), { titles: ['Ferries'], degraded: undefined }, 'words need no positions')
  assert.deepEqual(await find('"ferry crosses"'), { titles: [], degraded: true })
  await waitUntil(async () => (await status()).damaged === 1)
  await index()
  assert.deepEqual(await find('"ferry crosses"'), { titles: ['Ferries'], degraded: undefined })
  // Its lists are in memory, and its positions are read anew.
  await harness.db.query('delete from search_postings')
  await harness.touch()
  assert.deepEqual(await find('"ferry crosses"'), { titles: [], degraded: true })
})

test('a part that is missing is noticed by a merge, and its posts are indexed again', async () => {
  for (let n = 0; n < 7; n++) {
    await publish(`Post ${n}`, `The buoy number ${n} floats.`)
    await index()
  }
  await harness.db.query(
    "delete from search_postings where position('buoy'::bytea in posts) > 0 and segment_id = (select min(segment_id) from search_segments)"
  )
  await publish('Last', 'The last buoy floats.')
  await index()
  await index()
  assert.equal((await titles('buoy')).length, 8)
})

test('segments that are gone are said by each search, status and doctor, and their posts are indexed again', async () => {
  const all = ['Boats', 'Ferries', 'Rafts']
  const doctor = async () => {
    const found = await searchChecks(harness.search)[0]?.run({ isUnattended: true } as never)
    return (found as { status: string }).status
  }
  const losses = {
    'the one between two': [
      'delete from search_segments where segment_id = (select min(segment_id) + 1 from search_segments)'
    ],
    'the newest': ['delete from search_segments where segment_id = (select max(segment_id) from search_segments)'],
    all: ['delete from search_segments'],
    'all with their postings': ['delete from search_segments', 'delete from search_postings']
  }
  for (const [which, statements] of Object.entries(losses)) {
    await clear()
    for (const title of all) {
      await publish(title, `The ${title} float by.`)
      await index()
    }
    assert.notEqual(await doctor(), 'degraded', which)
    for (const sql of statements) await harness.db.query(sql)
    // What a process that starts now reads.
    await harness.touch()
    assert.ok((await status()).lost > 0, which)
    assert.equal(await doctor(), 'degraded', which)
    const { titles: found, degraded } = await find('float')
    assert.deepEqual([found.length < 3, degraded], [true, true], which)
    await waitUntil(async () => (await status()).damaged === 1)
    assert.equal(await doctor(), 'degraded', which)
    assert.equal((await find('raft')).degraded, true, which)
    await index()
    assert.deepEqual(await find('float'), { titles: all, degraded: undefined }, which)
    const { damaged, lost } = await status()
    assert.deepEqual([damaged, lost, await doctor()], [0, 0, (await doctor()) === 'ok' ? 'ok' : 'skipped'], which)
  }
})

test('segments that went while an engine was asked are said once the index is searched again', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  assert.deepEqual(await find('fjord'), { titles: ['Ferries'], degraded: undefined })
  harness.values.search_driver = 'opensearch'
  await harness.touch()
  await harness.db.query('delete from search_segments')
  await harness.touch()
  await harness.search.suggest('fe', 1)
  await find('fjo')
  harness.values.search_driver = 'builtin'
  assert.deepEqual(await find('fjords'), { titles: [], degraded: true })
  await index()
  assert.deepEqual(await find('fjord*'), { titles: ['Ferries'], degraded: undefined })
})

test('no merge hides that a segment between two is gone', async () => {
  for (let n = 0; n < 9; n++) {
    await publish(`Post ${n}`, `The buoy number ${n} floats.`)
    if (n === 7)
      await harness.db.query(
        'delete from search_segments where segment_id = (select max(segment_id) - 2 from search_segments)'
      )
    await index()
  }
  await publish('Last', 'The last buoy floats.')
  await index()
  await index()
  assert.deepEqual((await find('buoy')).titles.length, 10)
})

test('what a killed process began is removed, and its posts are indexed by the next', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  const segment_id = await createSegment(harness.db)
  await harness.db.query("update search_segments set written_at = now() - interval '1 hour' where segment_id = $1", [
    segment_id
  ])
  await harness.db.query("update search_state set writer = 'killed', written_until = now() - interval '1 second'")
  await index()
  assert.deepEqual(await titles('fjord'), ['Ferries'])
  const rows = await harness.db.query('select 1 from search_segments where segment_id = $1', [segment_id])
  assert.equal(rows.length, 0)
})

const noLatent: LatentIndexing = { hasWork: async () => false, update: async () => {} }
/** As another process would index. */
function otherProcess(latent: LatentIndexing = noLatent) {
  const settings = { get: (key: string) => harness.values[key] } as never
  const log = { info() {}, error() {}, warn() {} } as never
  return createIndexing({
    ...{ db: harness.db, settings, log, follower: { state: () => assert.fail('nothing is merged') } },
    changes: { touch: async () => {}, on: () => {}, isCurrent: () => true },
    languageOf: () => 'english',
    vocabulary: { addWords: async () => {} },
    latent
  })
}

test('a process that stops in the middle lets the next one index at once', async () => {
  await publish('Post', 'The buoy floats.')
  const stopping = new AbortController()
  const begun = Promise.withResolvers<void>()
  const update = () => {
    begun.resolve()
    return new Promise<void>(() => {})
  }
  void otherProcess({ hasWork: async () => true, update })(stopping.signal)
  await begun.promise
  await publish('Later', 'A heron.')
  await index()
  assert.equal((await status()).waiting, 1, 'two would write the same')
  stopping.abort()
  const writer = async () => (await harness.db.query('select writer from search_state'))[0]?.writer
  await until(async () => (await writer()) === null)
  await index()
  assert.equal((await status()).waiting, 0)
})

test('two processes that index at once write each text once', async () => {
  for (let n = 0; n < 5; n++) await publish(`Post ${n}`, `The buoy number ${n} floats.`)
  const other = otherProcess()
  await Promise.all([index(), other(new AbortController().signal)])
  assert.deepEqual(
    (await segments()).map(({ posts }) => posts),
    [5]
  )
})

test('a text that changes while it is indexed goes on waiting', async () => {
  const { post_id } = await publish('Ferries', 'The ferry crosses the fjord.')
  // As if it had changed between the reading and the commit.
  await harness.db.query(`create function change_while_indexed() returns trigger language plpgsql as $$ begin
    update posts set content = 'A ship in the harbour.', excerpt = '' where post_id = '${post_id}'; return null; end $$`)
  await harness.db.script(
    'create trigger change_while_indexed after insert on search_segments for each statement execute function change_while_indexed()'
  )
  const stop = new AbortController()
  const indexed = harness.search.updateIndex(stop.signal).catch(() => {})
  await waitUntil(async () => (await segments()).length > 0)
  await harness.db.script('drop trigger change_while_indexed on search_segments; drop function change_while_indexed')
  stop.abort()
  await indexed
  await harness.touch()
  assert.deepEqual(await titles('fjord'), [])
  assert.deepEqual(await titles('harbour'), ['Ferries'])
})

test('a verification finds what is damaged, missing or wrong, and has it indexed again', async () => {
  for (const title of ['Ferries', 'Boats', 'Rafts']) {
    await publish(title, `The ${title} float by.`)
    await index()
  }
  assert.deepEqual(await verify(false), { damaged: 0, differing: 0, lost: 0, words: 0, vectors: 0, isRepaired: false })
  const [first, second] = await segments()
  assert.ok(first && second)
  await harness.db.query(
    "delete from search_postings where segment_id = $1 and position('ferri'::bytea in posts) > 0",
    [first.segment_id]
  )
  await harness.db.query('delete from search_segments where segment_id = $1', [second.segment_id])
  await harness.db.query('update search_posts set published = null where post_no = (select max(post_no) from posts)')
  assert.deepEqual(await verify(false), { damaged: 1, differing: 1, lost: 1, words: 0, vectors: 0, isRepaired: false })
  assert.deepEqual(await verify(true), { damaged: 1, differing: 1, lost: 1, words: 0, vectors: 0, isRepaired: true })
  await index()
  assert.deepEqual(await verify(false), { damaged: 0, differing: 0, lost: 0, words: 0, vectors: 0, isRepaired: false })
  assert.deepEqual(await titles('float'), ['Boats', 'Ferries', 'Rafts'])
})

test('a verification finds posts whose entry names a segment that they do not stand in', async () => {
  for (const title of ['Ferries', 'Boats', 'Rafts']) {
    await publish(title, `The ${title} float by.`)
    await index()
  }
  await publish('🚢', '⚓')
  await index()
  await harness.db.query(
    `update search_posts set generation = generation + 1, version = pg_current_xact_id()
     where post_no in (select post_no from posts where title in ('Ferries', 'Boats'))`
  )
  await harness.touch()
  assert.deepEqual(await titles('float'), ['Rafts'])
  assert.deepEqual(await verify(true), { damaged: 0, differing: 0, lost: 2, words: 0, vectors: 0, isRepaired: true })
  await until(async () => (await titles('float')).length === 3)
  await index()
  assert.deepEqual(await verify(false), { damaged: 0, differing: 0, lost: 0, words: 0, vectors: 0, isRepaired: false })
  assert.deepEqual(await titles('float'), ['Boats', 'Ferries', 'Rafts'])
})

test('missing rows and lost posts are named by doctor, and the job has them indexed again', async () => {
  for (const title of ['Ferries', 'Boats']) await publish(title, `The ${title} float by.`)
  await index()
  const doctor = async () =>
    (await searchChecks(harness.search)[0]?.run({} as never)) as { status: string; found: string }
  const faults = {
    'a part of the index lacks postings':
      'delete from search_postings where ctid in (select min(ctid) from search_postings)',
    'the index is wrong about 2 posts': 'update search_posts set generation = 99',
    'wrong about 2 posts': 'delete from search_posts'
  }
  let hours = 0
  for (const [said, sql] of Object.entries(faults)) {
    await harness.db.script(sql)
    const { status, found } = await doctor()
    assert.equal(status, 'degraded', said)
    assert.match(found, new RegExp(said.replace('a part', '1 part')))
    hours += 2
    harness.setClock(() => new Date(Date.now() + hours * 3_600_000))
    await harness.search.updateByJob(new AbortController().signal)
    harness.setClock(() => new Date())
    assert.notEqual((await doctor()).status, 'degraded', said)
    await harness.touch()
    assert.deepEqual(await titles('float'), ['Boats', 'Ferries'], said)
  }
})

test('words that are gone are said by doctor and by answers that need them, and are stored again', async () => {
  const { post_id } = await publish('Lights', 'A lantern and a candlestick.')
  await publish('Lamps', 'Lanterns by the harbour.')
  await index()
  // Its old words stand in a segment that nobody merges.
  await edit(post_id, { content: 'A lantern and a chandelier.', excerpt: null })
  await index()
  const both = { titles: ['Lamps', 'Lights'], degraded: undefined }
  const doctor = async () =>
    (await searchChecks(harness.search)[0]?.run({} as never)) as { status: string; found: string }
  const isSaid = async () => {
    const { status, found } = await doctor()
    return status === 'degraded' && found.includes('words are gone')
  }
  assert.deepEqual(await find('lant*'), both)
  await harness.db.query('delete from post_words')
  await harness.touch()
  assert.deepEqual(await find('lant*'), { titles: [], degraded: true }, 'a beginning')
  assert.deepEqual(await find('lanterm'), { titles: [], degraded: true }, 'a misspelling')
  assert.deepEqual(await find('lantern'), both, 'a word that posts have')
  assert.equal(await isSaid(), true)
  const { words, isRepaired } = await verify(true)
  assert.deepEqual([words > 0, isRepaired], [true, true])
  assert.deepEqual(await verify(false), { damaged: 0, differing: 0, lost: 0, words: 0, vectors: 0, isRepaired: false })
  assert.equal(await isSaid(), false)
  for (const q of ['lant*', 'lanterm']) assert.deepEqual(await find(q), both, q)
  // Some alone, and the job sees it.
  await harness.db.query("delete from post_words where word >= 'l' and word < 'm'")
  await harness.touch()
  assert.deepEqual((await find('lant*')).titles, [])
  assert.equal(await isSaid(), true)
  harness.setClock(() => new Date(Date.now() + 20 * 3_600_000))
  await harness.search.updateByJob(new AbortController().signal)
  harness.setClock(() => new Date())
  assert.equal(await isSaid(), false)
  for (const q of ['lant*', 'lanterm']) assert.deepEqual(await find(q), both, q)
})

test('the first posts of a site are found whole once they are indexed, whatever was searched before', async () => {
  harness.values.search_language = 'german'
  await harness.db.query('delete from post_words')
  await publish('Wasser', 'Die Flut kommt bald.')
  await find('Unbekanntes')
  await find('unbek*')
  await index()
  for (const q of ['"flut kommt"', 'flu*'])
    assert.deepEqual(await find(q), { titles: ['Wasser'], degraded: undefined }, q)
})

test('a site whose posts say stop words alone lacks no words', async () => {
  await harness.db.query('delete from post_words')
  await publish('The', 'It is what it is.')
  await index()
  for (const q of ['lanterm', 'lant*']) assert.deepEqual(await find(q), { titles: [], degraded: undefined }, q)
})

test('a row under a wrong term has its posts indexed again, once, and no words stored', async () => {
  for (let post = 0; post < 60; post++) await publish(`Post ${post}`, `The word${post} and the harbour${post}.`)
  await index()
  await harness.db.query(
    `update search_postings set term = term || 'zz'
     where (segment_id, term) = (select segment_id, max(term) from search_postings group by 1 order by 1 desc limit 1)`
  )
  await harness.touch()
  const at = async (hours: number) => {
    harness.setClock(() => new Date(Date.now() + hours * 3_600_000))
    harness.warnings.length = 0
    await harness.search.updateByJob(new AbortController().signal)
    return harness.warnings.map(line => String((JSON.parse(line) as { msg: string }).msg))
  }
  const [first, ...others] = await at(104)
  assert.match(first ?? '', /is damaged: its posts are indexed again/)
  assert.deepEqual([others, await at(106), await at(108)], [[], [], []])
  harness.setClock(() => new Date())
  assert.deepEqual(await verify(false), { damaged: 0, differing: 0, lost: 0, words: 0, vectors: 0, isRepaired: false })
})

test('words that are gone of the end of a long segment alone are seen within the hour, and stored again', async () => {
  const words = Array.from({ length: 15_000 }, (_, at) => `kw${at + 10_000}x`)
  await publish('Catalogue', words.join(' '))
  await index()
  await harness.db.query(
    'delete from post_words where word >= (select term from search_postings order by segment_id desc, term offset 60 limit 1)'
  )
  await harness.touch()
  assert.deepEqual((await find('kw2499*')).titles, [])
  assert.ok((await verify(false)).words > 1_000)
  harness.setClock(() => new Date(Date.now() + 120 * 3_600_000))
  await harness.search.updateByJob(new AbortController().signal)
  harness.setClock(() => new Date())
  assert.deepEqual(await find('kw2499*'), { titles: ['Catalogue'], degraded: undefined })
  assert.equal((await verify(false)).words, 0)
})

test('where all words are gone, doctor reads the index of long texts a few megabytes at a time', async () => {
  await publish('Catalogue', Array.from({ length: 15_000 }, (_, at) => `kw${at + 10_000}x`).join(' '))
  await index()
  const positions = Buffer.alloc(300_004)
  positions.writeUInt32BE(crc32(positions.subarray(0, -4)), 300_000)
  await harness.db.query('update search_postings set positions = $1', [positions])
  await harness.db.query('delete from post_words')
  const answers: number[] = []
  const query: Db['query'] = async (...asked) => {
    const rows = await harness.db.query<never>(...asked)
    const values = rows.flatMap(row => Object.values(row))
    answers.push(values.reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0))
    return rows
  }
  const { words, incomplete } = await inspectIndex({ ...harness.db, query })
  assert.deepEqual([words > 60, incomplete], [true, []])
  const [total, longest] = [answers.reduce((sum, bytes) => sum + bytes, 0), Math.max(...answers)]
  assert.ok(total > 15_000_000 && longest < 5_000_000, `${longest} of ${total} bytes`)
})

test('a segment that is known to lack postings makes answers degraded until its posts are indexed again', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  await harness.db.query('update search_segments set is_damaged = true')
  await harness.touch()
  assert.deepEqual(await find('ferry'), { titles: ['Ferries'], degraded: true })
  await index()
  assert.deepEqual(await find('ferry'), { titles: ['Ferries'], degraded: undefined })
})

test('a verification finds a row that stands under another term', async () => {
  await publish('Ferries', 'The ferry crosses the fjord.')
  await index()
  await harness.db.query("update search_postings set term = term || 'x'")
  const verified = await harness.search.verify({
    ...{ isFixing: false, signal: new AbortController().signal, onProgress: () => {} }
  })
  assert.ok('segments' in verified)
  assert.equal(verified.damaged, 1)
})

test('the whole index is made anew while each post is found', async () => {
  for (const title of ['Ferries', 'Boats']) await publish(title, 'They float by.')
  await index()
  const before = await segments()
  await harness.search.rebuild(new AbortController().signal)
  assert.deepEqual((await status()).rebuilding, null)
  assert.deepEqual(
    (await segments()).filter(({ segment_id }) => before.some(each => each.segment_id === segment_id)),
    []
  )
  assert.deepEqual(await titles('float'), ['Boats', 'Ferries'])
})

test('a post that was withdrawn while the index was made anew is found when it is published again', async () => {
  const { post_id } = await publish('Ferries', 'They float by.')
  await publish('Boats', 'They float by.')
  await index()
  await harness.db.query("update posts set status = 'draft' where post_id = $1", [post_id])
  await harness.touch()
  await harness.search.rebuild(new AbortController().signal)
  await harness.db.query("update posts set status = 'published' where post_id = $1", [post_id])
  await harness.touch()
  for (const at of ['while it waits', 'in a segment']) {
    assert.deepEqual(await titles('float'), ['Boats', 'Ferries'], at)
    await index()
  }
})

test('a post that was withdrawn while its segment was merged is found when it is published again', async () => {
  const post = await publish('Withdrawn', 'A heron stands in the reeds.')
  await index()
  await harness.components.states.archiveChecked(post.post_id, { actor: 'operator' }, () => {})
  for (let n = 1; n <= 8; n++) {
    await publish(`Post ${n}`, `The buoy number ${n} floats.`)
    await index()
  }
  assert.ok((await segments()).length < 9, 'some were merged')
  await harness.db.query("update posts set status = 'published' where post_id = $1", [post.post_id])
  await harness.touch()
  assert.equal((await status()).waiting, 0)
  assert.deepEqual(await titles('heron'), ['Withdrawn'])
})

test('a text that another transaction holds waits for the next run, and is written once for each', async () => {
  await publish('Ferries', 'They float by.')
  // As a locked row is passed over: the texts of this run are no longer those that were read.
  await harness.db.script(`create function change_at_commit() returns trigger language plpgsql as $$ begin
      update search_posts set text_version = text_version + 1; return null; end $$;
    create trigger change_at_commit after insert on search_segments for each statement execute function change_at_commit()`)
  await index()
  await harness.db.script('drop trigger change_at_commit on search_segments; drop function change_at_commit')
  assert.equal((await segments()).length, 1, 'one attempt')
  assert.equal((await status()).waiting, 1)
  await index()
  assert.deepEqual([(await status()).waiting, await titles('float')], [0, ['Ferries']])
})

test('more texts than a search analyzes by itself: the answer says that some may be missing', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
     select 'many-' || n, 'Post ' || n, 'A buoy floats.', '', 'published', now(), now() from generate_series(1, 300) n`
  )
  await harness.touch()
  assert.equal((await find('buoy')).degraded, true)
  await index()
  const { body } = await harness.app.inject({ method: 'GET', url: '/api/posts/search?q=buoy' })
  const { total, degraded } = JSON.parse(body)
  assert.deepEqual({ total, degraded }, { total: 300, degraded: undefined })
})

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round++) if (await isTrue()) return
  assert.fail('It never became true.')
}
