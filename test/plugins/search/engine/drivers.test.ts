import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EngineDocument, SearchDriver } from '#plugins/search'
import { indexCommands } from '../../../../plugins/search/commands/index-commands.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

/** A driver of somebody else's: it knows whole terms, and may hang without listening to who calls it off. */
const documents = new Map<number, EngineDocument>()
let index: string | null = null
let isHanging = false
const hangs = () => new Promise<never>(() => {})
const write = <Item extends { post_no: number }>(items: readonly Item[], each: (item: Item) => void) => {
  items.forEach(each)
  return items.map(({ post_no }) => ({ post_no, outcome: 'done' as const }))
}
const add: SearchDriver['add'] = async given => write(given, each => documents.set(each.post_no, each))
const remove: SearchDriver['remove'] = async given => write(given, each => documents.delete(each.post_no))
const termsOf = ({ fields, boostTerms }: EngineDocument) => [...fields.join(' ').split(' '), ...boostTerms]
const theirs: SearchDriver = {
  target: 'memory',
  add,
  remove,
  async search({ words }) {
    if (isHanging) await hangs()
    const asked = words.flatMap(({ terms }) => terms)
    const having = [...documents.values()].filter(each => termsOf(each).some(term => asked.includes(term)))
    return { hits: having.map(({ post_no }) => ({ post_no, score: 1 })), hasMore: false }
  },
  count: async terms => new Map(terms.map(term => [term, 1])),
  status: async () => ({ engine: 'memory 1', index, documents: documents.size, bytes: 0, readOnly: null }),
  async rebuild({ fill, complete }) {
    await fill({ add, remove })
    await complete({ add, remove }, async () => (index = 'first'))
  },
  list: async after =>
    [...documents.values()].filter(({ post_no }) => post_no > after).sort((a, b) => a.post_no - b.post_no)
}

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  const { drivers } = harness.searchPart.services
  drivers.addDriver('theirs', theirs)
  harness.search.engines.addDriver('theirs', theirs)
  harness.values.search_driver = 'theirs'
  await makePublic(harness, { title: 'Ferries', body: 'They cross the fjord.' })
})
after(() => harness.close())

const find = async (url: string) => {
  const { items, degraded } = (await harness.app.inject({ method: 'GET', url })).json()
  return { titles: items.map(({ title }: { title: string }) => title), degraded }
}

test('a driver of a plugin is fed, searched and verified as galley’s own', async () => {
  await harness.index()
  assert.deepEqual(await find('/api/posts/search?q=fjords'), { titles: ['Ferries'], degraded: undefined })
  const { verify } = indexCommands(harness.search)
  const { driver, engine, waiting } = { engine: '', ...(await harness.search.status()) }
  assert.deepEqual({ driver, engine, waiting }, { driver: 'theirs', engine: 'memory 1', waiting: 0 })
  const look = async (isFixing = false) => {
    const signal = new AbortController().signal
    const found = await harness.search.verify({ isFixing, signal, onProgress: () => {} })
    return verify.exitStatus?.(found, { fix: isFixing })
  }
  assert.equal(await look(), 0)
  documents.clear()
  assert.equal(await look(), 1)
  assert.equal(await look(true), 1, 'what was wrong is said, though it is repaired')
  assert.equal(await look(), 0)
})

test('a driver that hangs is not waited for', async () => {
  harness.values.search_time_limit_ms = 50
  isHanging = true
  assert.deepEqual(await find('/api/posts/search?q=fjord&limit=9'), { titles: [], degraded: true })
  isHanging = false
  harness.values.search_time_limit_ms = 10_000
})

test('a name is taken once, and the setting is checked against those that are there', () => {
  const { engines } = harness.search
  for (const name of ['theirs', 'builtin', 'opensearch'])
    assert.throws(() => engines.addDriver(name, theirs), /registered already/)
  assert.equal(engines.faultOf('builtin'), null)
  assert.equal(engines.faultOf('theirs'), null)
  assert.equal(engines.faultOf('other'), 'must be one of opensearch, theirs or builtin')
})
