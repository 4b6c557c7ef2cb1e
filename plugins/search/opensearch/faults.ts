import { isObject, UnavailableError } from '#core'

/** What the engine answers to a request. */
export interface EngineAnswer {
  status: number
  body: Readonly<Record<string, unknown>>
}

/** An answer of the engine that says no. */
export class EngineRefusal extends UnavailableError {
  readonly answer: EngineAnswer

  constructor(message: string, answer: EngineAnswer) {
    super(message)
    this.answer = answer
  }
}

/** What an answer says is wrong; empty where it does not say it. */
interface EngineError {
  type: string
  reason: string
}

const maxReasonLength = 300

export function errorIn(error: unknown): EngineError {
  if (!isObject(error)) return { type: '', reason: '' }
  const { type, reason } = error
  return { type: textOf(type), reason: textOf(reason) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxReasonLength) : '')

/** A block of writes, as for a full disk: to send it again helps nothing. Null for another error. */
export const readOnlyFault = ({ type, reason }: EngineError): string | null =>
  type === 'cluster_block_exception'
    ? `The search engine takes no changes (${reason}): free disk space there, then remove the block read_only_allow_delete.`
    : null

/** The request may succeed a little later. */
export const isBusyStatus = (status: number): boolean => status === 429 || (status >= 500 && status !== 501)
