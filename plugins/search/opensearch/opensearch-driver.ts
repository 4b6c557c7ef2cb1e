import { isObject, type Log } from '#core'
import type { EngineStatus, SearchDriver } from '../engine/driver.ts'
import { type AccessSettings, accessFault, readAccess } from './access.ts'
import { readCounts, readEntries, readHits } from './answers.ts'
import { readOnlyFault } from './faults.ts'
import { createWriter, indicesOf, rebuildIndices, sizesOf } from './indices.ts'
import { queryBody } from './query-body.ts'
import { createRequest, type Request } from './request.ts'

/** Terms that one request counts. */
const maxCounted = 500

/** OpenSearch, and Elasticsearch from 7.10 on: what is used of both is the same. */
export function createOpenSearchDriver({ settings, log }: { settings: AccessSettings; log: Log }): SearchDriver {
  const access = () => readAccess(settings)
  const request = createRequest(access, log)
  const alias = () => access().alias
  const search = async (query: string, body: object, signal: AbortSignal) =>
    (
      await request({
        method: 'POST',
        path: `${alias()}/_search?allow_partial_search_results=false&${query}`,
        body,
        signal
      })
    ).body
  return {
    get target() {
      const { url } = access()
      return `opensearch ${url} ${alias()}`
    },
    get settingsFault() {
      return accessFault(settings)
    },
    ...createWriter(request, () => ({ alias: alias(), refreshes: true })),
    async search(query, signal) {
      const body = {
        size: query.limit,
        track_total_hits: query.limit,
        stored_fields: '_none_',
        sort: [{ _score: 'desc' }, { post_no: 'desc' }],
        query: queryBody(query)
      }
      // Rarity is that of the whole index, however many shards it has.
      const asked = 'search_type=dfs_query_then_fetch&filter_path=hits.total,hits.hits.sort'
      return readHits(await search(asked, body, signal), query.limit)
    },
    async count(terms, signal) {
      const counts = new Map<string, number>()
      for (let at = 0; at < terms.length; at += maxCounted) {
        const part = terms.slice(at, at + maxCounted)
        const filters = part.map(value => ({ term: { text: { value } } }))
        const body = {
          ...{ size: 0, track_total_hits: false, query: { terms: { text: part } } },
          aggs: { terms: { filters: { filters } } }
        }
        const found = readCounts(await search('filter_path=aggregations', body, signal))
        for (const [index, term] of part.entries()) counts.set(term, found[index] ?? 0)
      }
      return counts
    },
    status: signal => readStatus(request, alias(), signal),
    rebuild: rebuild => rebuildIndices(alias(), rebuild, { request, log }),
    async list(after, limit, signal) {
      const body = {
        ...{ size: limit, track_total_hits: false, version: true, _source: false },
        ...{ sort: [{ post_no: 'asc' }], search_after: [after], query: { match_all: {} } }
      }
      return readEntries(await search('filter_path=hits.hits._version,hits.hits.sort', body, signal))
    }
  }
}

async function readStatus(request: Request, alias: string, signal: AbortSignal): Promise<EngineStatus> {
  const { body } = await request({ path: '', signal })
  const version = isObject(body.version) ? body.version : {}
  const name = version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch'
  const engine = `${name} ${String(version.number ?? 'of unknown version').slice(0, 40)}`
  const [index = null] = await indicesOf(request, alias, signal)
  if (index === null) return { engine, index, documents: 0, bytes: 0, readOnly: null }
  const [sizes, readOnly] = await Promise.all([sizesOf(request, alias, signal), readBlock(request, alias, signal)])
  return { engine, index, ...sizes, readOnly }
}

/** A full disk blocks writes, and galley's too. */
async function readBlock(request: Request, alias: string, signal: AbortSignal): Promise<string | null> {
  const path = `${alias}/_settings?flat_settings=true&filter_path=*.settings.index.blocks*`
  const { body } = await request({ path, signal })
  for (const index of Object.values(body)) {
    const settings = isObject(index) && isObject(index.settings) ? Object.entries(index.settings) : []
    const block = settings.find(([key, value]) => /^index\.blocks\.(read_only|write)/.test(key) && value === 'true')
    if (block !== undefined) return readOnlyFault({ type: 'cluster_block_exception', reason: block[0] })
  }
  return null
}
