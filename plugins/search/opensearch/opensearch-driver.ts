import { batched } from '#concurrency'
import { isObject, type Log } from '#core'
import type { EngineStatus, SearchDriver } from '../driver.ts'
import { type AccessSettings, engineAccessFault, readEngineAccess } from './access.ts'
import { readCounts, readHits, readListed, readPostNos, readWords, wholeAnswer, wholeFields } from './answers.ts'
import { readOnlyFault } from './faults.ts'
import { createEngineWriter, indicesOf, rebuildIndices, sizesOf } from './indices.ts'
import { completionsBody, countBody, listBody, searchBody, titlesBody } from './query-body.ts'
import { type AskEngine, createRequest } from './request.ts'

/** Terms that one request counts. */
const maxCounted = 500

/** What is read of an answer, and further options of the query. */
interface Asked {
  fields: readonly string[]
  options?: string
}

/** OpenSearch, and Elasticsearch from 7.10 on: what is used of both is the same. */
export function createOpenSearchDriver({ settings, log }: { settings: AccessSettings; log: Log }): SearchDriver {
  const access = () => readEngineAccess(settings)
  const request = createRequest(access)
  const alias = () => access().alias
  const search = async ({ fields, options = '' }: Asked, body: object, signal: AbortSignal) => {
    const query = `allow_partial_search_results=false${options}&filter_path=${[...wholeFields, ...fields].join(',')}`
    const answer = await request({ method: 'POST', path: `${alias()}/_search?${query}`, body, signal })
    return wholeAnswer(answer.body)
  }
  return {
    get target() {
      const { url } = access()
      return `opensearch ${url} ${alias()}`
    },
    get settingsFault() {
      return engineAccessFault(settings)
    },
    ...createEngineWriter(request, () => ({ alias: alias(), refreshes: true })),
    async search(query, signal) {
      // Rarity is that of the whole index, however many shards it has.
      const asked = { fields: ['hits.total', 'hits.hits.sort'], options: '&search_type=dfs_query_then_fetch' }
      return readHits(await search(asked, searchBody(query), signal), query.limit)
    },
    async count(terms, signal) {
      const counts = new Map<string, number>()
      for (const batch of batched(terms, { maxItems: maxCounted })) {
        const found = readCounts(await search({ fields: ['aggregations'] }, countBody(batch), signal))
        for (const [index, term] of batch.entries()) counts.set(term, found[index] ?? 0)
      }
      return counts
    },
    async suggest(query, signal) {
      const [titles, words] = await Promise.all([
        search({ fields: ['hits.hits.sort'] }, titlesBody(query), signal),
        search({ fields: ['aggregations'] }, completionsBody(query), signal)
      ])
      return { post_nos: readPostNos(titles), completions: readWords(words, query.limit) }
    },
    status: signal => readStatus(request, alias(), signal),
    rebuild: rebuild => rebuildIndices(alias(), rebuild, { request, log }),
    async list(after, limit, signal) {
      const asked = { fields: ['hits.hits._version', 'hits.hits.sort'] }
      return readListed(await search(asked, listBody(after, limit), signal))
    }
  }
}

async function readStatus(request: AskEngine, alias: string, signal: AbortSignal): Promise<EngineStatus> {
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
async function readBlock(request: AskEngine, alias: string, signal: AbortSignal): Promise<string | null> {
  const path = `${alias}/_settings?flat_settings=true&filter_path=*.settings.index.blocks*`
  const { body } = await request({ path, signal })
  for (const index of Object.values(body)) {
    const settings = isObject(index) && isObject(index.settings) ? Object.entries(index.settings) : []
    const block = settings.find(([key, value]) => /^index\.blocks\.(read_only|write)/.test(key) && value === 'true')
    if (block !== undefined) return readOnlyFault({ type: 'cluster_block_exception', reason: block[0] })
  }
  return null
}
