import { type Answer, type Engine, type EngineRequest, errorBody, indexMissing, indicesNamed } from './engine.ts'
import { ParsingError, scorerOf } from './queries.ts'
import {
  deleteDocument,
  type ItemResult,
  indexDocument,
  refresh,
  type StoredDocument,
  type StoredIndex
} from './stored-index.ts'

const blocked: ItemResult = {
  status: 429,
  error: {
    type: 'cluster_block_exception',
    reason:
      'blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];'
  }
}

export function bulk(engine: Engine, name: string, { body, query }: EngineRequest): Answer {
  if (!body.endsWith('\n'))
    return errorBody(400, 'illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]')
  const lines = body.split('\n').slice(0, -1)
  const [index] = indicesNamed(engine, name)
  const isAlias = index !== undefined && index.name !== name
  const items: object[] = []
  for (let at = 0; at < lines.length; at++) {
    const [[action = '', meta] = []] = Object.entries(JSON.parse(lines[at] ?? '') as Record<string, Meta>)
    const source = action === 'index' ? JSON.parse(lines[++at] ?? '') : {}
    if (meta?.version_type !== 'external_gte' || !Number.isSafeInteger(meta.version))
      return errorBody(400, 'illegal_argument_exception', 'the stand-in knows external_gte only')
    items.push({ [action]: { _index: name, _id: meta._id, ...write(action, meta, source) } })
  }
  if (query.get('refresh') === 'true' && index !== undefined) refresh(index)
  return { status: 200, body: { took: 1, errors: items.length > 0, items } }

  function write(action: string, { _id, version }: Meta, source: StoredDocument['source']): ItemResult {
    if (index === undefined || (query.get('require_alias') === 'true' && !isAlias))
      return {
        status: 404,
        error: {
          type: 'index_not_found_exception',
          reason: `no such index [${name}] and [require_alias] request flag is [true]`
        }
      }
    if (engine.isReadOnly && action === 'index') return blocked
    const fault = engine.itemFault(_id, action === 'index' ? 'index' : 'delete')
    if (fault !== undefined) return fault
    return action === 'index' ? indexDocument(index, { id: _id, version, source }) : deleteDocument(index, _id, version)
  }
}

interface Meta {
  _id: string
  version: number
  version_type: string
}

interface Search {
  size?: number
  track_total_hits?: number | boolean
  stored_fields?: string
  _source?: boolean
  version?: boolean
  sort?: Record<string, 'asc' | 'desc'>[]
  search_after?: (number | string)[]
  query?: unknown
  aggs?: Record<string, { filters?: { filters: unknown[] }; terms?: WordsAggregation }>
}

interface WordsAggregation {
  field: string
  include: string
  size: number
}

const known = [
  'size',
  'track_total_hits',
  'stored_fields',
  '_source',
  'version',
  'sort',
  'search_after',
  'query',
  'aggs'
]
const maxWindow = 10_000

export function search(engine: Engine, name: string, { body, query }: EngineRequest): Answer {
  const [index] = indicesNamed(engine, name)
  if (index === undefined) return indexMissing(name)
  const asked = JSON.parse(body) as Search
  const unknown = Object.keys(asked).find(key => !known.includes(key))
  if (unknown !== undefined) return errorBody(400, 'parsing_exception', `Unknown key for a VALUE in [${unknown}].`)
  if ((asked.size ?? 10) > maxWindow)
    return errorBody(400, 'illegal_argument_exception', `Result window is too large, must be less than [${maxWindow}]`)
  if (asked.stored_fields === '_none_' && asked.version === true)
    return errorBody(400, 'illegal_argument_exception', '[stored_fields] cannot be disabled when using [version]')
  try {
    return { status: 200, body: select(answerTo(index, asked), query.get('filter_path')) }
  } catch (error) {
    if (!(error instanceof ParsingError)) throw error
    return errorBody(400, 'parsing_exception', error.message)
  }
}

function answerTo(index: StoredIndex, { size = 10, sort = [{ _score: 'desc' }], ...asked }: Search) {
  const score = scorerOf(index, asked.query ?? { match_all: {} })
  const keys = sort.map((each): [string, string] => Object.entries(each)[0] ?? ['_score', 'desc'])
  const found = [...index.visible.values()].flatMap(document => {
    const own = score(document)
    if (own === undefined) return []
    // The engine computes with 32 bits.
    return [
      { document, sort: keys.map(([key]) => (key === '_score' ? Math.fround(own) : Number(document.source[key]))) }
    ]
  })
  found.sort((a, b) => compare(keys, a.sort, b.sort))
  const after = asked.search_after?.map(Number)
  const page = after === undefined ? found : found.filter(each => compare(keys, each.sort, after) > 0)
  const limit = asked.track_total_hits
  const total =
    typeof limit === 'number' && found.length > limit
      ? { value: limit, relation: 'gte' }
      : { value: found.length, relation: 'eq' }
  return {
    took: 1,
    timed_out: false,
    hits: {
      ...(limit === false ? {} : { total }),
      hits: page.slice(0, size).map(({ document, sort: values }) => ({
        _index: index.name,
        _id: document.id,
        ...(asked.version === true ? { _version: document.version } : {}),
        sort: values
      }))
    },
    ...(asked.aggs === undefined
      ? {}
      : {
          aggregations: aggregationsOf(
            index,
            asked,
            found.map(each => each.document)
          )
        })
  }
}

function compare(keys: readonly (readonly [string, string])[], a: readonly number[], b: readonly number[]): number {
  for (const [at, [, direction]] of keys.entries()) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return direction === 'asc' ? difference : -difference
  }
  return 0
}

function aggregationsOf(index: StoredIndex, { aggs = {} }: Search, found: readonly StoredDocument[]) {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, { filters, terms }]) => {
      if (terms !== undefined) return [name, { buckets: wordsOf(found, terms) }]
      if (filters === undefined) throw new ParsingError('the stand-in knows filters and terms only')
      const buckets = filters.filters.map(query => {
        const score = scorerOf(index, query)
        return { doc_count: found.filter(document => score(document) !== undefined).length }
      })
      return [name, { buckets }]
    })
  )
}

/** `include` is a regular expression for the whole value; those of most documents come first. */
function wordsOf(found: readonly StoredDocument[], { field, include, size }: WordsAggregation) {
  const isIncluded = new RegExp(`^(?:${include})$`)
  const counts = new Map<string, number>()
  for (const { source } of found)
    for (const value of new Set([source[field] ?? []].flat().map(String)))
      if (isIncluded.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([key, doc_count]) => ({ key, doc_count }))
    .sort((a, b) => b.doc_count - a.doc_count || (a.key < b.key ? -1 : 1))
    .slice(0, size)
}

/** `filter_path`: the hits without any, and an answer without any, are left out. */
function select(answer: ReturnType<typeof answerTo>, path: string | null): object {
  if (path === null) return answer
  const paths = path.split(',')
  const { hits, aggregations } = answer
  if (paths.includes('aggregations')) return { aggregations }
  const total = paths.includes('hits.total') ? { total: hits.total } : {}
  const fields = paths.filter(each => each.startsWith('hits.hits.')).map(each => each.slice('hits.hits.'.length))
  const list = hits.hits.map(hit => Object.fromEntries(Object.entries(hit).filter(([key]) => fields.includes(key))))
  const selected = { ...total, ...(list.length === 0 ? {} : { hits: list }) }
  return Object.keys(selected).length === 0 ? {} : { hits: selected }
}
