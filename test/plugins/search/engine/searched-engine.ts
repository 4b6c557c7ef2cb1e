import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach } from 'node:test'
import {
  type Misbehaviour,
  type SearchEngine,
  startSearchEngine
} from '../../../helpers/search-engine/search-engine.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

export const alias = 'galley-posts'
export const signal = new AbortController().signal

/** What a search answers that finds these posts. */
export const found = (...titles: string[]) => ({
  titles,
  total: titles.length,
  degraded: undefined,
  total_is_minimum: undefined
})
export const nothing = { ...found(), degraded: true }

/** Posts that are searched in a stand-in of an engine, for all tests of a file. */
export function searchedEngine() {
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
  const names = () => [...engine.indices.keys()]
  return {
    harness: () => harness,
    engine: () => engine,
    index: () => harness.index(),
    find: (q: string, more = '') => find(harness, q, more),
    async status() {
      const status = await harness.search.status()
      assert.ok('engine' in status)
      return status
    },
    publish: (title: string, body = `The ${title} cross the fjord.`) => makePublic(harness, { title, body }),
    edit: (post_id: string, content: string) =>
      harness.components.edits.edit(post_id, { content, excerpt: null }, { actor: 'operator' }),
    withdraw: (post_id: string) => harness.components.states.archiveChecked(post_id, { actor: 'operator' }, () => {}),
    numberOf: (post_id: string) => numberOf(harness, post_id),
    /** The index that answers. */
    searched() {
      const [answering, ...others] = [...engine.indices.values()].filter(({ aliases }) => aliases.has(alias))
      assert.ok(answering !== undefined && others.length === 0, 'one index answers')
      return answering
    },
    names,
    bulks: () => engine.requests.filter(({ path }) => path.endsWith('/_bulk')),
    async verified(isFixing = false) {
      const verification = await harness.search.verify({ isFixing, signal, onProgress: () => {} })
      assert.ok('missing' in verification)
      const { missing, differing, extra } = verification
      return { missing, differing, extra }
    },
    doctor() {
      const [check] = harness.searchPart.checks ?? []
      assert.ok(check)
      return check.run({ signal, unfinished: async () => [] })
    }
  }
}

async function find(harness: Harness, q: string, more: string) {
  const url = `/api/posts/search?q=${encodeURIComponent(q)}${more}`
  const response = await harness.app.inject({ method: 'GET', url })
  const { items, total, degraded, total_is_minimum } = response.json()
  assert.equal(degraded === true, response.headers['cache-control'] === 'no-store', 'what is degraded is not cached')
  return { titles: items.map(({ title }: { title: string }) => title), total, degraded, total_is_minimum }
}

async function numberOf({ db }: Harness, post_id: string): Promise<number> {
  const [row] = await db.query<{ post_no: number }>('select post_no from posts where post_id = $1', [post_id])
  return row?.post_no ?? 0
}

export const answering =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Misbehaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
    return undefined
  }
export const json = (value: unknown) => answering(200, 'application/json', JSON.stringify(value))
export const cut: Misbehaviour = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"hits":', () => response.destroy())
  return undefined
}
export const hangs: Misbehaviour = (_, response: ServerResponse) =>
  new Promise(resolve => response.on('close', () => resolve(undefined)))
