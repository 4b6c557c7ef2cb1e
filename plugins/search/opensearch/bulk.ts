import { batched, forEachAsync } from '#concurrency'
import { isObject, UnavailableError } from '#core'
import type { EngineDocument, EngineRemoval, EngineWrite } from '../driver.ts'
import { EngineRefusal, errorIn, isBusyStatus, readOnlyFault } from './faults.ts'
import type { AskEngine } from './request.ts'

/** Of a request, about. */
const maxBatchBytes = 5_000_000
/** Requests at once. */
const concurrency = 2
const timeoutMs = 60_000

/** One write as lines of a request. */
interface BulkItem {
  post_no: number
  lines: string
}

/** Where to write: an alias, so that an index that is gone is not made anew by a write. */
export interface BulkTarget {
  alias: string
  /** What was written is found when the request is answered. */
  refreshes: boolean
}

/** A later revision is never replaced: the engine compares them. */
const versionOf = ({ post_no, revision }: EngineRemoval) => ({
  _id: String(post_no),
  version: revision,
  version_type: 'external_gte'
})

export const documentItem = (document: EngineDocument): BulkItem => {
  const { post_no, published, category, tags, language, titleWords, fields, boostTerms } = document
  const labels = { category, tags, language, title_words: titleWords, first_word: titleWords[0] ?? null }
  const source = { post_no, published, ...labels, text: [...fields, ...boostTerms] }
  return { post_no, lines: `${JSON.stringify({ index: versionOf(document) })}\n${JSON.stringify(source)}\n` }
}

export const removalItem = (removal: EngineRemoval): BulkItem => ({
  post_no: removal.post_no,
  lines: `${JSON.stringify({ delete: versionOf(removal) })}\n`
})

/** Writes in requests of bounded size, two at a time. */
export async function writeItems(
  request: AskEngine,
  target: BulkTarget,
  items: readonly BulkItem[],
  signal: AbortSignal
): Promise<EngineWrite[]> {
  const writes: EngineWrite[] = []
  const batches = batched(items, { maxSize: maxBatchBytes, sizeOf: item => Buffer.byteLength(item.lines) })
  const write = async (batch: readonly BulkItem[]) => writes.push(...(await writeBatch(request, target, batch, signal)))
  await forEachAsync(batches, write, { concurrency })
  return writes
}

const answerFields = ['errors', 'items.*._id', 'items.*.status', 'items.*.error.type', 'items.*.error.reason']

async function writeBatch(
  request: AskEngine,
  { alias, refreshes }: BulkTarget,
  batch: readonly BulkItem[],
  signal: AbortSignal
): Promise<EngineWrite[]> {
  const query = `require_alias=true&refresh=${refreshes}&filter_path=${answerFields.join(',')}`
  const body = batch.map(({ lines }) => lines).join('')
  try {
    const answer = await request({ method: 'POST', path: `${alias}/_bulk?${query}`, body, signal, timeoutMs })
    return outcomesOf(answer.body.items, batch)
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    return outcomesOfRefusal(error, batch)
  }
}

/** A request that was refused as a whole. */
function outcomesOfRefusal(refusal: EngineRefusal, batch: readonly BulkItem[]): EngineWrite[] {
  const { status, body } = refusal.answer
  const isBusy = isBusyStatus(status) && readOnlyFault(errorIn(body.error)) === null
  if (isBusy) return batch.map(({ post_no }) => ({ post_no, outcome: 'busy' }))
  // Too large for what stands before the engine.
  if (status === 413 && batch.length === 1)
    return batch.map(({ post_no }) => ({
      post_no,
      outcome: 'refused',
      reason: 'The text is too large for the engine.'
    }))
  throw refusal
}

/** What the answer says of each; of what it does not name, nothing is known: it is sent again. */
function outcomesOf(items: unknown, batch: readonly BulkItem[]): EngineWrite[] {
  if (!Array.isArray(items)) throw new UnavailableError('The search engine answered a bulk request without its items.')
  const found = new Map<string, EngineWrite>()
  for (const item of items) {
    const [result] = isObject(item) ? Object.values(item) : []
    if (!isObject(result) || typeof result._id !== 'string' || typeof result.status !== 'number') continue
    const post_no = Number(result._id)
    found.set(result._id, { post_no, ...outcomeOf(result.status, result.error) })
  }
  return batch.map(({ post_no }) => found.get(String(post_no)) ?? { post_no, outcome: 'busy' })
}

function outcomeOf(status: number, error: unknown): Omit<EngineWrite, 'post_no'> {
  const { type, reason } = errorIn(error)
  const readOnly = readOnlyFault({ type, reason })
  if (readOnly !== null) throw new UnavailableError(readOnly)
  if (type === 'index_not_found_exception')
    throw new UnavailableError('The search engine has no index of the posts: it is made anew.')
  // 409: it has a later revision. 404: what is to be removed is not there.
  if (status < 300 || status === 409 || (status === 404 && type === '')) return { outcome: 'done' }
  if (isBusyStatus(status)) return { outcome: 'busy' }
  return { outcome: 'refused', reason: `${type}: ${reason}` }
}
