import { after, before } from 'node:test'
import { type SearchEngine, startSearchEngine } from '../../helpers/search-engine/search-engine.ts'
import type { Harness } from '../posts/harness.ts'

/** Has the tests of a suite search in an engine that has the posts, in place of the index of the database. */
export function withEngine(open: () => Harness): void {
  let engine: SearchEngine
  before(async () => {
    engine = await startSearchEngine()
    open().values.search_driver = 'opensearch'
    open().values.search_url = engine.url
    await open().index()
    await open().touch()
  })
  after(async () => {
    open().values.search_driver = 'builtin'
    await open().touch()
    await engine.close()
  })
}
