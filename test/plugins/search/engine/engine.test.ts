import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { UnavailableError } from '#core'
import {
  errorBody,
  type Misbehaviour,
  type SearchEngine,
  startSearchEngine
} from '../../../helpers/search-engine/search-engine.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
let engine: SearchEngine
before(async () => {
  engine = await startSearchEngine()
  harness = await openPosts({ withMemory: false })
  harness.values.search_driver = 'opensearch'
  harness.values.search_url = engine.url
})
after(async () => {
  await harness.close()
  await engine.close()
})
beforeEach(async () => {
  engine.reset()
  harness.warnings.length = 0
  harness.values.search_time_limit_ms = 10_000
  await harness.db.script('delete from posts; delete from search_feed; delete from search_sent')
  await harness.touch()
})

const alias = 'galley-posts'
const signal = new AbortController().signal
const index = () => harness.index()
const find = async (q: string, more = '') => {
  const response = await harness.app.inject({
    method: 'GET',
    url: `/api/posts/search?q=${encodeURIComponent(q)}${more}`
  })
  const { items, total, degraded, total_is_minimum } = response.json()
  assert.equal(degraded === true, response.headers['cache-control'] === 'no-store', 'what is degraded is not cached')
  return { titles: items.map(({ title }: { title: string }) => title), total, degraded, total_is_minimum }
}
const found = (...titles: string[]) => ({
  titles,
  total: titles.length,
  degraded: undefined,
  total_is_minimum: undefined
})
const nothing = { ...found(), degraded: true }
const status = async () => {
  const found = await harness.search.status()
  assert.ok('engine' in found)
  return found
}
const publish = (title: string, body = `The ${title} cross the fjord.`) => makePublic(harness, { title, body })
const edit = (post_id: string, content: string) =>
  harness.parts.edits.edit(post_id, { content, excerpt: null }, { actor: 'operator' })
const withdraw = (post_id: string) => harness.parts.states.archiveChecked(post_id, { actor: 'operator' }, () => {})
const numberOf = async (post_id: string) => {
  const [row] = await harness.db.query<{ post_no: number }>('select post_no from posts where post_id = $1', [post_id])
  return row?.post_no ?? 0
}
/** The index that answers. */
const searched = () => {
  const [answering, ...others] = [...engine.indices.values()].filter(({ aliases }) => aliases.has(alias))
  assert.ok(answering !== undefined && others.length === 0, 'one index answers')
  return answering
}
const names = () => [...engine.indices.keys()]
const bulks = () => engine.requests.filter(({ path }) => path.endsWith('/_bulk'))

describe('changes', () => {
  test('reach the engine as the subscribers hear of them, and each is found with the next search', async () => {
    await index()
    const { post_id } = await publish('Ferries')
    assert.deepEqual(await find('fjord'), nothing, 'a change waits')
    await harness.deliver()
    assert.deepEqual(await find('fjord'), found('Ferries'))
    await edit(post_id, 'They cross the strait.')
    await harness.deliver()
    assert.deepEqual(await find('fjord'), found())
    assert.deepEqual(await find('strait'), found('Ferries'))
    await harness.parts.edits.edit(post_id, { tags: ['Boats'] }, { actor: 'operator' })
    await harness.deliver()
    assert.deepEqual(await find('strait', '&tag=boats'), found('Ferries'))
    await withdraw(post_id)
    assert.deepEqual(await find('strait'), { ...nothing, titles: [] }, 'withdrawn, and not told yet')
    await harness.deliver()
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
    const driver = harness.search.engines.chosen()
    const late = await driver.add([{ ...old, language: null, fields: ['fjord'], more: [] }], signal)
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
    await harness.db.script(`create function refuse_note() returns trigger language plpgsql as
      $$ begin raise exception 'killed'; end $$;
      create trigger refuse_note before insert on search_sent for each row execute function refuse_note()`)
    await assert.rejects(index())
    await harness.db.script('drop trigger refuse_note on search_sent; drop function refuse_note')
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
    await harness.db.query("update search_feed set feeder = 'another', fed_until = now() + interval '1 minute'")
    await publish('Ferries')
    await index()
    assert.equal((await status()).waiting, 1, 'the other one does it')
    await harness.db.query("update search_feed set fed_until = now() - interval '1 second'")
    await index()
    assert.equal((await status()).waiting, 0, 'it died: its time is over')
  })

  test('are not noted by a process whose time was over, when another has taken over', async () => {
    await index()
    await publish('Ferries')
    engine.misbehaviour = async ({ path }) => {
      if (path.endsWith('/_bulk'))
        await harness.db.query("update search_feed set feeder = 'another', fed_until = now() + interval '1 minute'")
      return undefined
    }
    await assert.rejects(index(), /Another process has taken over/)
    engine.misbehaviour = undefined
    assert.equal((await status()).waiting, 1)
    await harness.db.query('update search_feed set feeder = null')
    await index()
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('no request has more than 5 MB, and two are under way at once', async () => {
    await index()
    const words = Array.from({ length: 30_000 }, (_, at) => `word${at % 300}`).join(' ')
    await harness.db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'long-' || n, 'Long ' || n, $1, '', 'published', now() from generate_series(1, 12) n`,
      [words.slice(0, 190_000)]
    )
    let running = 0
    let most = 0
    engine.misbehaviour = async ({ path }) => {
      if (!path.endsWith('/_bulk')) return undefined
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return undefined
    }
    await index()
    assert.equal((await find('word5')).total, 12)
    assert.ok(bulks().every(({ body }) => Buffer.byteLength(body) < 5_500_000))
    assert.ok(most <= 2)
  })
})

describe('what an engine refuses', () => {
  test('for want of room is sent again, item by item', async () => {
    await index()
    const posts = await Promise.all(['Ferries', 'Rafts', 'Boats'].map(title => publish(title)))
    const busy = String(await numberOf(posts[1]?.post_id ?? ''))
    let refusals = 0
    engine.itemFault = id =>
      id === busy && ++refusals <= 2
        ? { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'rejected execution' } }
        : undefined
    await index()
    assert.equal((await find('fjord')).total, 3)
    const [first, second, third] = bulks().map(({ body }) => body.split('\n').length)
    assert.ok(first !== undefined && second !== undefined && second < first && third === second, 'the one alone')
  })

  test('for good is said with its reason, is not sent again, and holds up no other', async () => {
    await index()
    const { post_id } = await publish('Ferries')
    await publish('Rafts')
    const refused = String(await numberOf(post_id))
    engine.itemFault = id =>
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
    engine.itemFault = () => undefined
    await edit(post_id, 'They cross the fjord by night.')
    await index()
    assert.equal((await status()).refused, 0)
    assert.equal((await find('fjord')).total, 2)
  })

  test('because its disk is full waits, is said, and follows by itself', async () => {
    await index()
    engine.isReadOnly = true
    await publish('Ferries')
    await assert.rejects(index(), UnavailableError)
    await harness.deliver()
    const { waiting, fault } = await status()
    assert.equal(waiting, 1)
    assert.match(fault ?? '', /takes no changes/)
    assert.match(JSON.stringify(await doctor()), /degraded.*1 changes? waits?.*read_only_allow_delete/)
    assert.equal((await find('fjord')).degraded, true)
    engine.isReadOnly = false
    await index()
    assert.deepEqual(await find('fjord'), found('Ferries'))
    assert.equal((await status()).fault, null)
  })
})

const doctor = () => {
  const [check] = harness.searchPart.checks ?? []
  assert.ok(check)
  return check.run({ signal, unfinished: async () => [] })
}

const answering =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Misbehaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
    return undefined
  }
const json = (value: unknown) => answering(200, 'application/json', JSON.stringify(value))
const cut: Misbehaviour = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"hits":', () => response.destroy())
  return undefined
}
const hangs: Misbehaviour = (_, response: ServerResponse) =>
  new Promise(resolve => response.on('close', () => resolve(undefined)))
const strangers = [7, 999_999, -1, 1.5, 2 ** 40, null, '1', { post_no: 1 }]

const faults: [name: string, behaviour: Misbehaviour, degraded: boolean][] = [
  ['503', () => errorBody(503, 'unavailable_shards_exception', 'shard'), true],
  ['429', () => errorBody(429, 'es_rejected_execution_exception', 'rejected'), true],
  ['401', answering(401, 'text/plain', 'Unauthorized'), true],
  ['404: the alias is gone', () => errorBody(404, 'index_not_found_exception', 'no such index'), true],
  ['400 for the query', () => errorBody(400, 'search_phase_execution_exception', 'all shards failed'), true],
  ['HTML', answering(200, 'text/html', '<html>Welcome to nginx!</html>'), true],
  ['HTML with 502', answering(502, 'text/html', '<html>Bad Gateway</html>'), true],
  ['half of an answer', cut, true],
  ['nothing at all', (_, response) => void response.destroy(), true],
  ['a list', json([]), true],
  ['hits that are none', json({ hits: { hits: 7 } }), true],
  ['no hits', json({}), true],
  [
    'numbers of no post, and some that are not public',
    json({ hits: { total: { value: 9e9 }, hits: strangers.map(no => ({ sort: [1, no] })) } }),
    false
  ],
  ['9 MB', answering(200, 'application/json', `{"hits":"${'x'.repeat(9_000_000)}"}`), true]
]

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
      engine.misbehaviour = once(behaviour)
      if (!isRetried) {
        await assert.rejects(index(), UnavailableError)
        assert.deepEqual(await find('fjord'), nothing)
      }
      await index()
      assert.deepEqual(await find('fjord'), found('Ferries'))
    })
})

describe('an engine that answers a search with', () => {
  for (const [name, behaviour, degraded] of faults)
    test(`${name}: nothing false is found`, async () => {
      await publish('Ferries')
      await index()
      assert.deepEqual(await find('fjord'), found('Ferries'))
      engine.misbehaviour = (request, response) =>
        request.path.endsWith('_search') ? behaviour(request, response) : undefined
      assert.deepEqual(await find('fjord', '&limit=19'), degraded ? nothing : found())
      engine.misbehaviour = undefined
      assert.deepEqual(await find('fjord', '&limit=18'), found('Ferries'))
    })

  test('a post again and again, and another total: it is found once', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    const hits = Array(50).fill({ sort: [1, await numberOf(post_id)] })
    engine.misbehaviour = json({ hits: { total: { value: 9e9, relation: 'gte' }, hits } })
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('a redirect: it is not followed, and the key goes nowhere else', async () => {
    const elsewhere = await startSearchEngine()
    try {
      await publish('Ferries')
      await index()
      harness.values.search_username = 'galley'
      harness.values.search_password = 'secret'
      engine.misbehaviour = answering(307, 'text/plain', '', { location: `${elsewhere.url}/${alias}/_search` })
      assert.deepEqual(await find('fjord'), nothing)
      await assert.rejects(index(), /Redirects are not followed: set search_url/)
      assert.equal(elsewhere.requests.length, 0)
      assert.equal(engine.requests.at(-1)?.headers.authorization, `Basic ${btoa('galley:secret')}`)
      assert.ok(!harness.warnings.join().includes('secret'))
    } finally {
      delete harness.values.search_username
      delete harness.values.search_password
      await elsewhere.close()
    }
  })

  test('silence: it is not waited for, and the request ends', async () => {
    await publish('Ferries')
    await index()
    harness.values.search_time_limit_ms = 50
    const ended = Promise.withResolvers<void>()
    engine.misbehaviour = async (request, response) => {
      await hangs(request, response)
      ended.resolve()
      return undefined
    }
    assert.deepEqual(await find('fjord'), nothing)
    await ended.promise
  })
})

test('an engine that is not there: searches say so, changes wait, doctor says it', async () => {
  await publish('Ferries')
  harness.values.search_url = 'http://127.0.0.1:9'
  try {
    await harness.touch()
    assert.deepEqual(await find('fjord'), nothing)
    const suggested = await harness.app.inject({ method: 'GET', url: '/api/posts/suggest?q=fer' })
    assert.deepEqual(suggested.json().completions, ['ferries'], 'from memory')
    await assert.rejects(index(), /127\.0\.0\.1:9.*cannot be reached|broke off/)
    await harness.deliver()
    const found = await doctor()
    assert.equal(found.status, 'critical')
    const { engine: name, waiting } = await status()
    assert.deepEqual([name, waiting], [null, 1])
  } finally {
    harness.values.search_url = engine.url
  }
  await index()
  assert.deepEqual(await find('fjord'), found('Ferries'))
})

test('settings that lack something are named, and what was sent is not forgotten', async () => {
  await publish('Ferries')
  await index()
  for (const [values, fault] of [
    [{ search_url: '' }, /search_url is empty/],
    [{ search_url: 'http://user:pw@127.0.0.1' }, /set search_username and search_password instead/],
    [{ search_driver: 'unknown' }, /search_driver is unknown, which no plugin provides/]
  ] as const) {
    const before = { ...harness.values }
    Object.assign(harness.values, values)
    await harness.touch()
    assert.deepEqual(await find('fjord'), nothing)
    await assert.rejects(index(), fault)
    assert.match((await status()).fault ?? '', fault)
    Object.assign(harness.values, before)
  }
  await harness.touch()
  assert.deepEqual(await find('fjord'), found('Ferries'))
  assert.equal(names().length, 1)
})

describe('a rebuild', () => {
  test('answers from the old index until the new one is whole, and has what changed meanwhile', async () => {
    const edited = await publish('Ferries')
    const withdrawn = await publish('Rafts')
    await index()
    const [old] = names()
    let isChanged = false
    engine.misbehaviour = async ({ path }) => {
      if (isChanged || path !== `${alias}-next/_bulk`) return undefined
      isChanged = true
      await edit(edited.post_id, 'They cross the strait.')
      await withdraw(withdrawn.post_id)
      await publish('Boats')
      assert.equal(searched().name, old)
      return undefined
    }
    await harness.search.rebuild(signal)
    assert.ok(isChanged)
    const [present, ...others] = names()
    assert.deepEqual(others, [], 'the old one is gone')
    assert.notEqual(present, old)
    assert.match(present ?? '', /^galley-posts-\d{17}$/)
    assert.deepEqual([...searched().aliases], [alias])
    assert.deepEqual([await find('fjord'), await find('strait')], [found('Boats'), found('Ferries')])
    assert.deepEqual(await verified(), { missing: 0, differing: 0, extra: 0 })
  })

  test('that was killed leaves an index that the next one removes, and nothing else is touched', async () => {
    await publish('Ferries')
    await index()
    const foreign = ['galley-posts-20200101000000000', 'galley-posts-archive', 'other']
    const mappings = { _meta: { made_by: 'somebody', alias }, properties: {} }
    for (const name of foreign)
      await fetch(`${engine.url}/${name}`, {
        method: 'PUT',
        body: JSON.stringify({ mappings }),
        headers: { 'content-type': 'application/json' }
      })
    // As killed while it was filled.
    const stop = new AbortController()
    engine.misbehaviour = ({ path, method }) => {
      if (path === `${alias}-next/_bulk`) stop.abort()
      return stop.signal.aborted && method === 'DELETE' ? errorBody(503, 'unavailable', '') : undefined
    }
    await assert.rejects(harness.search.rebuild(stop.signal))
    engine.misbehaviour = undefined
    assert.equal(names().length, 5)
    assert.deepEqual(await find('fjord'), found('Ferries'), 'the old one answers')
    await harness.search.rebuild(signal)
    assert.deepEqual(
      names()
        .filter(name => name !== searched().name)
        .sort(),
      foreign
    )
  })

  test('that fails half-way leaves the old index, and none of its own', async () => {
    await publish('Ferries')
    await index()
    const [old] = names()
    engine.misbehaviour = ({ path }) =>
      path === '_aliases' ? errorBody(503, 'process_cluster_event_timeout_exception', '') : undefined
    await assert.rejects(harness.search.rebuild(signal), UnavailableError)
    engine.misbehaviour = undefined
    assert.deepEqual(names(), [old])
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('is made by one process at a time, and by itself where the index is gone or in another language', async () => {
    await publish('Boot', 'Das Boot ist alt.')
    await index()
    await harness.db.query("update search_feed set builder = 'another', built_until = now() + interval '1 minute'")
    await assert.rejects(harness.search.rebuild(signal), /Another process fills a new index already/)
    await harness.db.query('update search_feed set builder = null')
    assert.equal((await find('booten')).total, 0)
    harness.values.search_language = 'german'
    await index()
    assert.equal((await find('booten')).total, 1)
    engine.indices.clear()
    assert.equal((await find('booten', '&limit=9')).degraded, true)
    await index()
    assert.equal((await find('booten')).total, 1)
    delete harness.values.search_language
  })

  test('follows a restored backup, which counts revisions anew', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    await edit(post_id, 'They cross the strait.')
    await index()
    const [before] = names()
    await harness.db.transaction(async tx => {
      await tx.query("update posts set content = 'They cross the lake.'")
      await tx.query('update search_posts set revision = 1')
      await harness.searchPart.onRestore?.(tx, signal)
    })
    await harness.touch()
    await index()
    assert.notEqual(names()[0], before)
    assert.deepEqual([await find('lake'), await find('strait')], [found('Ferries'), found()])
  })

  test('leaves alone an index of somebody else that has the name', async () => {
    const create = (name: string, body: object) =>
      fetch(`${engine.url}/${name}`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' }
      })
    await create(alias, {})
    await assert.rejects(index(), /was not made by galley, and is left alone: set search_index/)
    engine.reset()
    await create('logs', { aliases: { [alias]: {} } })
    await assert.rejects(index(), /^UnavailableError: logs at search_url was not made by galley/)
    assert.deepEqual(names(), ['logs'])
  })
})

const verified = async (isFixing = false) => {
  const found = await harness.search.verify({ isFixing, signal, onProgress: () => {} })
  assert.ok('missing' in found)
  const { missing, differing, extra } = found
  return { missing, differing, extra }
}

test('titles that begin with what was typed are suggested first, then the newest; none that is not public', async () => {
  for (const title of ['Sailing', 'Old sails', 'New sails']) await publish(title)
  const { post_id } = await publish('Sails')
  await index()
  await withdraw(post_id)
  const { body } = await harness.app.inject({ method: 'GET', url: '/api/posts/suggest?q=sai' })
  const { items } = JSON.parse(body)
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Sailing', 'New sails', 'Old sails']
  )
})

describe('a verification', () => {
  const clean = { missing: 0, differing: 0, extra: 0 }

  test('names what is missing, differs or is too much, and has it sent again', async () => {
    const posts = await Promise.all(['Ferries', 'Rafts', 'Boats', 'Canoes'].map(title => publish(title)))
    await index()
    const [missing = 0, differing = 0, extra = 0] = await Promise.all(posts.map(({ post_id }) => numberOf(post_id)))
    const gone = searched().live.get(String(extra))
    assert.ok(gone)
    await withdraw(posts[2]?.post_id ?? '')
    await index()
    assert.deepEqual(await verified(), clean)
    const [present] = names()
    const { live } = searched()
    const document = live.get(String(differing))
    assert.ok(document)
    live.delete(String(missing))
    live.set(String(differing), { ...document, version: document.version - 1, places: new Map() })
    live.set(String(extra), gone)
    searched().visible = new Map(live)
    assert.deepEqual(
      (await find('fjord')).titles,
      ['Canoes'],
      'what is withdrawn is not found, whatever the engine has'
    )
    const faults = { missing: 1, differing: 1, extra: 1 }
    assert.deepEqual(await verified(), faults)
    assert.deepEqual(await verified(true), faults)
    assert.deepEqual(await verified(), clean)
    assert.equal((await find('fjord')).total, 3)
    assert.deepEqual(names(), [present])
  })

  test('makes the index anew where the engine has posts or revisions of another installation', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    const [before] = names()
    const { live } = searched()
    const document = live.get(String(await numberOf(post_id)))
    assert.ok(document)
    const stranger = { ...document, id: '99999', source: { ...document.source, post_no: 99_999 }, version: 5 }
    live.set(stranger.id, stranger)
    live.set(document.id, { ...document, version: 2 ** 50 })
    searched().visible = new Map(live)
    assert.deepEqual(await verified(true), { missing: 0, differing: 1, extra: 1 })
    assert.notEqual(names()[0], before)
    assert.deepEqual(await verified(), clean)
    await publish('Rafts')
    await index()
    assert.equal((await find('fjord')).total, 2)
  })
})

test('of more than 10,000 posts the first are found, and the answer says that there are more', async () => {
  await index()
  const { post_id } = await publish('Walrus')
  const last = await numberOf(post_id)
  const rows = await harness.db.query<{ post_no: number }>(
    'insert into search_posts (post_no, published) select 1000000 + n, n from generate_series(1, 10010) n returning post_no'
  )
  // As if they had been sent.
  await harness.db.query('update search_feed set horizon = pg_snapshot_xmin(pg_current_snapshot())')
  await harness.touch()
  engine.misbehaviour = (request, response) => {
    if (!request.path.endsWith('_search')) return undefined
    const { size } = JSON.parse(request.body)
    const others = rows.slice(0, size - 1).map(({ post_no }) => ({ sort: [2, post_no] }))
    const hits = [...others, { sort: [1, last] }]
    return json({ hits: { total: { value: size, relation: 'gte' }, hits } })(request, response)
  }
  const { total, total_is_minimum, titles } = await find('walrus', '&limit=5&offset=9999')
  assert.deepEqual({ total, total_is_minimum, titles }, { total: 10_000, total_is_minimum: true, titles: ['Walrus'] })
})
