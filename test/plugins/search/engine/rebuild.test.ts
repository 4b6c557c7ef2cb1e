import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnavailableError } from '#core'
import { errorBody } from '../../../helpers/search-engine/engine.ts'
import { alias, found, searchedEngine, signal } from './searched-engine.ts'

const { harness, engine, index, find, publish, edit, withdraw, numberOf, searched, names, verified } = searchedEngine()

describe('a rebuild', () => {
  test('answers from the old index until the new one is whole, and has what changed meanwhile', async () => {
    const edited = await publish('Ferries')
    const withdrawn = await publish('Rafts')
    await index()
    const [old] = names()
    let isChanged = false
    engine().misbehaviour = async ({ path }) => {
      if (isChanged || path !== `${alias}-next/_bulk`) return undefined
      isChanged = true
      await edit(edited.post_id, 'They cross the strait.')
      await withdraw(withdrawn.post_id)
      await publish('Boats')
      assert.equal(searched().name, old)
      return undefined
    }
    await harness().search.rebuild(signal)
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
    const unowned = ['galley-posts-20200101000000000', 'galley-posts-archive', 'other']
    const mappings = { _meta: { made_by: 'somebody', alias }, properties: {} }
    for (const name of unowned)
      await fetch(`${engine().url}/${name}`, {
        method: 'PUT',
        body: JSON.stringify({ mappings }),
        headers: { 'content-type': 'application/json' }
      })
    // As killed while it was filled.
    const stop = new AbortController()
    engine().misbehaviour = ({ path, method }) => {
      if (path === `${alias}-next/_bulk`) stop.abort()
      return stop.signal.aborted && method === 'DELETE' ? errorBody(503, 'unavailable', '') : undefined
    }
    await assert.rejects(harness().search.rebuild(stop.signal))
    engine().misbehaviour = undefined
    assert.equal(names().length, 5)
    assert.deepEqual(await find('fjord'), found('Ferries'), 'the old one answers')
    await harness().search.rebuild(signal)
    assert.deepEqual(
      names()
        .filter(name => name !== searched().name)
        .sort(),
      unowned
    )
  })

  test('that fails half-way leaves the old index, and none of its own', async () => {
    await publish('Ferries')
    await index()
    const [old] = names()
    engine().misbehaviour = ({ path }) =>
      path === '_aliases' ? errorBody(503, 'process_cluster_event_timeout_exception', '') : undefined
    await assert.rejects(harness().search.rebuild(signal), UnavailableError)
    engine().misbehaviour = undefined
    assert.deepEqual(names(), [old])
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('is made by one process at a time, and by itself where the index is gone or in another language', async () => {
    await publish('Boot', 'Das Boot ist alt.')
    await index()
    await harness().db.query("update search_feed set builder = 'another', built_until = now() + interval '1 minute'")
    await assert.rejects(harness().search.rebuild(signal), /Another process fills a new index already/)
    await harness().db.query('update search_feed set builder = null')
    assert.equal((await find('booten')).total, 0)
    harness().values.search_language = 'german'
    await index()
    assert.equal((await find('booten')).total, 1)
    engine().indices.clear()
    assert.equal((await find('booten', '&limit=9')).degraded, true)
    await index()
    assert.equal((await find('booten')).total, 1)
    delete harness().values.search_language
  })

  test('follows a restored backup, which counts revisions anew', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    await edit(post_id, 'They cross the strait.')
    await index()
    const [before] = names()
    await harness().db.transaction(async tx => {
      await tx.query("update posts set content = 'They cross the lake.'")
      await tx.query('update search_posts set revision = 1')
      await harness().searchPart.onRestore?.(tx, signal)
    })
    await harness().touch()
    await index()
    assert.notEqual(names()[0], before)
    assert.deepEqual([await find('lake'), await find('strait')], [found('Ferries'), found()])
  })

  test('leaves alone an index of somebody else that has the name', async () => {
    const create = (name: string, body: object) =>
      fetch(`${engine().url}/${name}`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' }
      })
    await create(alias, {})
    await assert.rejects(index(), /was not made by galley, and is left alone: set search_index/)
    engine().reset()
    await create('logs', { aliases: { [alias]: {} } })
    await assert.rejects(index(), /^UnavailableError: logs at search_url was not made by galley/)
    assert.deepEqual(names(), ['logs'])
  })
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
    live.set(String(differing), { ...document, version: document.version - 1, positions: new Map() })
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
