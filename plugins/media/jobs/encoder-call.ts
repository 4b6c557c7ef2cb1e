import { type CallBudget, callWithinBudgets, LongCallError, type LongRequest } from '#child-process/long-call'
import { UnavailableError } from '#core'
import { withoutFullStop } from '#text/excerpts'
import { cannotBeWritten } from '../work-fault.ts'

export interface EncoderOptions {
  budgets: readonly [CallBudget, ...CallBudget[]]
  /** Of its heap; buffers of files are not in it. */
  heapMb: number
  /** Where it writes. */
  folder: string
  /** The subject and verb of its error: `The film could not be made`. */
  failure: string
  /** Called with the share that is done, 0–1. What it throws ends the work. */
  report(share: number): Promise<void>
  signal: AbortSignal
}

/**
 * Encodes in a process of low priority.
 * @throws UnavailableError; what `report` throws; the reason of an aborted signal
 */
export async function callEncoder<Output>(
  request: LongRequest,
  { budgets, heapMb, folder, failure, report, signal }: EncoderOptions
): Promise<Output> {
  const unwanted = new AbortController()
  const onProgress = (share: number) => void report(share).catch(error => unwanted.abort(error))
  const options = { signal: AbortSignal.any([signal, unwanted.signal]), heapMb, onProgress }
  try {
    return await callWithinBudgets<Output>(request, options, budgets)
  } catch (error) {
    if (!(error instanceof LongCallError)) throw error
    if (error.code !== undefined) throw cannotBeWritten(folder, error.code, error)
    throw new UnavailableError(`${failure}: ${withoutFullStop(error.message)}.`, { cause: error })
  }
}
