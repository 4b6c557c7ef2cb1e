import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnavailableError } from '#core'
import { errorBody } from '../../../helpers/search-engine/engine.ts'
import type { Misbehaviour } from '../../../helpers/search-engine/search-engine.ts'
import { answering, cut, found, json, nothing, searchedEngine, signal } from './searched-engine.ts'

const { harness, engine, index, find, status, publish, edit, withdraw, numberOf, searched, bulks, doctor } =
  searchedEngine()

/** The documents that a request in bulk writes, in its order. */
const idsIn = (body: string): string[] =>
  body
    .split('\n')
    .filter(line => line.includes('"_id"'))
    .map(line => (Object.values(JSON.parse(line))[0] as { _id: string })._id)

describe('changes', () => {
  test('reach the engine as the subscribers hear of them, and each is found with the next search', async () => {
    await index()
    const { post_id } = await publish('Ferries')
    assert.deepEqual(await find('fjord'), nothing, 'a change waits')
    await harness().deliver()
    assert.deepEqual(await find('fjord'), found('Ferries'))
    await edit(post_id, 'They cross the strait.')
    await harness().deliver()
    assert.deepEqual(await find('fjord'), found())
    assert.deepEqual(await find('strait'), found('Ferries'))
    await harness().components.edits.edit(post_id, { tags: ['Boats'] }, { actor: 'operator' })
    await harness().deliver()
    assert.deepEqual(await find('strait', '&tag=boats'), found('Ferries'))
    await withdraw(post_id)
    assert.deepEqual(await find('strait'), { ...nothing, titles: [] }, 'withdrawn, and not told yet')
    await harness().deliver()
    assert.deepEqual(await find('strait'), found())
    assert.equal(searched().live.size, 0)
  })

  test('an older revision never replaces a newer one, whoever sends it', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    await edit(post_id, 'They cross the strait.')
    await index()
    const [document] = [...searched().live.values()]
    assert.ok(document)
    const { version } = document
    // A process that was stopped for an hour sends what it read before.
    const old = {
      post_no: await numberOf(post_id),
      revision: version - 1,
      published: 1,
      category: null,
      tags: [],
      titleWords: []
    }
    const driver = harness().search.engines.chosen()
    const late = await driver.add([{ ...old, language: null, fields: ['fjord'], boostTerms: [] }], signal)
    assert.deepEqual(late, [{ post_no: old.post_no, outcome: 'done' }])
    await driver.remove([old], signal)
    assert.deepEqual(await find('strait'), found('Ferries'))
    assert.equal([...searched().live.values()][0]?.version, version)
  })

  test('what was sent and not noted is sent again, and what was noted is not', async () => {
    await publish('Ferries')
    await index()
    await publish('Rafts')
    // As killed between the two.
    await harness().db.script(`create function refuse_note() returns trigger language plpgsql as
      $$ begin raise exception 'killed'; end $$;
      create trigger refuse_note before insert on search_sent for each row execute function refuse_note()`)
    await assert.rejects(index())
    await harness().db.script('drop trigger refuse_note on search_sent; drop function refuse_note')
    assert.equal((await status()).waiting, 1)
    await index()
    assert.equal((await status()).waiting, 0)
    assert.deepEqual((await find('fjord')).total, 2)
    const before = bulks().length
    await index()
    assert.equal(bulks().length, before)
  })

  test('that came while another process sent them are taken along by it', async () => {
    await index()
    await harness().db.query("update search_feed set feeder = 'another', fed_until = now() + interval '1 minute'")
    await publish('Ferries')
    await index()
    assert.equal((await status()).waiting, 1, 'the other one does it')
    await harness().db.query("update search_feed set fed_until = now() - interval '1 second'")
    await index()
    assert.equal((await status()).waiting, 0, 'it died: its time is over')
  })

  test('are not noted by a process whose time was over, when another has taken over', async () => {
    await index()
    await publish('Ferries')
    engine().misbehaviour = async ({ path }) => {
      if (path.endsWith('/_bulk'))
        await harness().db.query("update search_feed set feeder = 'another', fed_until = now() + interval '1 minute'")
      return undefined
    }
    await assert.rejects(index(), /Another process has taken over/)
    engine().misbehaviour = undefined
    assert.equal((await status()).waiting, 1)
    await harness().db.query('update search_feed set feeder = null')
    await index()
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('no request has more than 5 MB, and two are under way at once', async () => {
    await index()
    const words = Array.from({ length: 30_000 }, (_, at) => `word${at % 300}`).join(' ')
    await harness().db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'long-' || n, 'Long ' || n, $1, '', 'published', now() from generate_series(1, 12) n`,
      [words.slice(0, 190_000)]
    )
    let running = 0
    let maxRunning = 0
    engine().misbehaviour = async ({ path }) => {
      if (!path.endsWith('/_bulk')) return undefined
      maxRunning = Math.max(maxRunning, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return undefined
    }
    await index()
    assert.equal((await find('word5')).total, 12)
    assert.ok(bulks().every(({ body }) => Buffer.byteLength(body) < 5_500_000))
    assert.ok(maxRunning <= 2)
  })
})

describe('what an engine refuses', () => {
  test('for want of room is sent again, item by item', async () => {
    await index()
    const posts = await Promise.all(['Ferries', 'Rafts', 'Boats'].map(title => publish(title)))
    const own = await Promise.all(posts.map(async ({ post_id }) => String(await numberOf(post_id))))
    const busy = own[1] ?? ''
    let refusals = 0
    engine().itemFault = id =>
      id === busy && ++refusals <= 2
        ? { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'rejected execution' } }
        : undefined
    await index()
    assert.equal((await find('fjord')).total, 3)
    // On a server the three may come in several requests: transactions of others hold some back. So they hold back what earlier
    // tests removed, which is then sent here.
    const sent = bulks().map(({ body }) => idsIn(body))
    const [, ...again] = sent.filter(ids => ids.includes(busy))
    assert.deepEqual(again, [[busy], [busy]], 'the one alone')
    const ofOwn = sent.flat().filter(id => own.includes(id))
    assert.deepEqual(ofOwn.toSorted(), [...own, busy, busy].toSorted(), 'no other a second time')
  })

  test('for good is said with its reason, is not sent again, and holds up no other', async () => {
    await index()
    const { post_id } = await publish('Ferries')
    await publish('Rafts')
    const refused = String(await numberOf(post_id))
    engine().itemFault = id =>
      id === refused
        ? { status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse' } }
        : undefined
    await index()
    assert.deepEqual(await find('fjord'), found('Rafts'))
    const { waiting, refused: count, reasons } = await status()
    assert.deepEqual(
      { waiting, count, reasons },
      { waiting: 0, count: 1, reasons: [`${refused}: mapper_parsing_exception: failed to parse`] }
    )
    const before = bulks().length
    await index()
    assert.equal(bulks().length, before)
    assert.match(JSON.stringify(await doctor()), /refuses 1 post, such as \d+: mapper_parsing_exception/)
    engine().itemFault = () => undefined
    await edit(post_id, 'They cross the fjord by night.')
    await index()
    assert.equal((await status()).refused, 0)
    assert.equal((await find('fjord')).total, 2)
  })

  test('because its disk is full waits, is said, and follows by itself', async () => {
    await index()
    engine().isReadOnly = true
    await publish('Ferries')
    await assert.rejects(index(), UnavailableError)
    await harness().deliver()
    const { waiting, fault } = await status()
    assert.equal(waiting, 1)
    assert.match(fault ?? '', /takes no changes/)
    assert.match(JSON.stringify(await doctor()), /degraded.*1 changes? waits?.*read_only_allow_delete/)
    assert.equal((await find('fjord')).degraded, true)
    engine().isReadOnly = false
    await index()
    assert.deepEqual(await find('fjord'), found('Ferries'))
    assert.equal((await status()).fault, null)
  })
})

const once = (behaviour: Misbehaviour): Misbehaviour => {
  let isDone = false
  return (request, response) => {
    if (isDone || !request.path.endsWith('/_bulk')) return undefined
    isDone = true
    return behaviour(request, response)
  }
}
const bulkFaults: [name: string, behaviour: Misbehaviour, isRetried: boolean][] = [
  ['503', () => errorBody(503, 'unavailable_shards_exception', 'shard'), true],
  ['429', () => errorBody(429, 'es_rejected_execution_exception', 'rejected'), true],
  ['nothing of what was sent', json({ errors: false, items: [{ index: { _id: '4711', status: 201 } }] }), true],
  ['no items', json({ errors: false }), false],
  ['half of an answer', cut, false],
  ['HTML', answering(200, 'text/html', '<html>'), false],
  [
    '403: the whole cluster is read-only',
    () => errorBody(403, 'cluster_block_exception', 'blocked by: [FORBIDDEN/6/cluster read-only (api)];'),
    false
  ],
  ['404: the alias is gone', () => errorBody(404, 'index_not_found_exception', 'no such index'), false]
]

describe('an engine that answers changes with', () => {
  for (const [name, behaviour, isRetried] of bulkFaults)
    test(`${name}: they are sent again, ${isRetried ? 'at once' : 'by the next run'}`, async () => {
      await index()
      await publish('Ferries')
      engine().misbehaviour = once(behaviour)
      if (!isRetried) {
        await assert.rejects(index(), UnavailableError)
        assert.deepEqual(await find('fjord'), nothing)
      }
      await index()
      assert.deepEqual(await find('fjord'), found('Ferries'))
    })
})
