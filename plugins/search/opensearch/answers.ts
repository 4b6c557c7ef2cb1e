import { isObject, UnavailableError } from '#core'
import type { EngineEntry, EngineHits } from '../driver.ts'

/** Numbers of posts are those of the database's integers. */
const maxPostNo = 2_147_483_647
const isPostNo = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxPostNo

/** Of an answer, what says whether all of the index was searched. */
export const wholeFields = ['error', 'timed_out', '_shards.failed']

/** A part of the posts must not pass for all, whatever stands between galley and the engine. @throws UnavailableError */
export function wholeAnswer(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const failed = isObject(body._shards) ? body._shards.failed : 0
  if (body.error !== undefined || body.timed_out === true || (typeof failed === 'number' && failed > 0))
    throw new UnavailableError('The search engine did not search all of its index.')
  return body
}

/** The hits of an answer: each with the values that it was sorted by. */
function hitsIn(body: Readonly<Record<string, unknown>>): { hits: Record<string, unknown>[]; total: unknown } {
  const { hits } = body
  // Without any hit, `filter_path` leaves out the list, and without a total everything.
  if (hits === undefined) return { hits: [], total: undefined }
  if (!isObject(hits)) throw wrongAnswer()
  const list: unknown = hits.hits ?? []
  if (!Array.isArray(list)) throw wrongAnswer()
  return { hits: list.filter(isObject), total: hits.total }
}

const wrongAnswer = () => new UnavailableError('The search engine answered a search without hits.')

/** Posts with their scores. A number that no post can have is left out. */
export function readHits(body: Readonly<Record<string, unknown>>, limit: number): EngineHits {
  if (!isObject(body.hits)) throw wrongAnswer()
  const { hits, total } = hitsIn(body)
  const found = hits.slice(0, limit).flatMap(({ sort }) => {
    const [score, post_no]: unknown[] = Array.isArray(sort) ? sort : []
    return isPostNo(post_no) && typeof score === 'number' ? [{ post_no, score }] : []
  })
  const hasMoreMatches = isObject(total) && (total.relation === 'gte' || Number(total.value) > limit)
  return { hits: found, hasMore: hasMoreMatches && hits.length >= limit }
}

/** Posts with their revisions. */
export const readListed = (body: Readonly<Record<string, unknown>>): EngineEntry[] =>
  hitsIn(body).hits.flatMap(({ sort, _version }) => {
    const [post_no]: unknown[] = Array.isArray(sort) ? sort : []
    return isPostNo(post_no) && typeof _version === 'number' && Number.isSafeInteger(_version)
      ? [{ post_no, revision: _version }]
      : []
  })

/** Numbers of posts, from the last of the values that hits are sorted by. */
export const readPostNos = (body: Readonly<Record<string, unknown>>): number[] =>
  hitsIn(body).hits.flatMap(({ sort }) => {
    const post_no: unknown = Array.isArray(sort) ? sort.at(-1) : undefined
    return isPostNo(post_no) ? [post_no] : []
  })

/** The words of an aggregation, those of most documents first. */
export function readWords(body: Readonly<Record<string, unknown>>, limit: number): string[] {
  const buckets = bucketsOf(body, 'words')
  return buckets
    .slice(0, limit)
    .flatMap(bucket => (isObject(bucket) && typeof bucket.key === 'string' ? [bucket.key] : []))
}

/** How many documents each of the filters found, by its place. */
export function readCounts(body: Readonly<Record<string, unknown>>): number[] {
  return bucketsOf(body, 'terms').map(bucket =>
    isObject(bucket) && typeof bucket.doc_count === 'number' ? bucket.doc_count : 0
  )
}

function bucketsOf({ aggregations }: Readonly<Record<string, unknown>>, name: string): unknown[] {
  const found = isObject(aggregations) ? aggregations[name] : undefined
  const buckets = isObject(found) ? found.buckets : undefined
  if (!Array.isArray(buckets)) throw new UnavailableError('The search engine answered without the counts asked for.')
  return buckets
}
