import { InputError } from '#core'

/** Counts the bytes of an answer while it is made. */
export interface AnswerSize {
  /** Bytes it may have. */
  readonly most: number
  /** @throws InputError when so many more are too many. */
  refuseLarge(bytes: number): void
  /** @throws InputError when it has grown too large. */
  add(bytes: number): void
  /** The refusal, once it was too large: the whole query is refused then. */
  fault(): InputError | undefined
}

const megabyte = 1_000_000

export function createAnswerSize(most: number): AnswerSize {
  let size = 0
  let fault: InputError | undefined
  const refuseLarge = (bytes: number) => {
    if (size + bytes > most) fault ??= tooLarge(most)
    if (fault !== undefined) throw fault
  }
  return {
    most,
    refuseLarge,
    add(bytes) {
      size += bytes
      refuseLarge(0)
    },
    fault: () => fault
  }
}

function tooLarge(most: number): InputError {
  const fault = `answers more than ${most / megabyte} MB (setting graphql_max_answer_mb): ask for fewer items, or leave out long fields such as content and contentHtml`
  return new InputError({ query: fault }, `The query ${fault}.`)
}

/** About the bytes of a value as JSON. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each) + 1, 2)
  if (typeof value === 'object' && value !== null) return (JSON.stringify(value)?.length ?? 0) + 2
  return 8
}
