import { InputError } from '#core'

/** Counts the bytes of a response while it is resolved. */
export interface ResponseSize {
  /** The limit in bytes. */
  readonly maxBytes: number
  /** @throws InputError when `bytes` more would exceed the limit */
  refuseLarge(bytes: number): void
  /** @throws InputError beyond the limit */
  add(bytes: number): void
  /** The error, once the limit was exceeded: then the whole query is refused. */
  fault(): InputError | undefined
}

const megabyte = 1_000_000

export function createResponseSize(maxBytes: number): ResponseSize {
  let size = 0
  let fault: InputError | undefined
  const refuseLarge = (bytes: number) => {
    if (size + bytes > maxBytes) fault ??= tooLarge(maxBytes)
    if (fault !== undefined) throw fault
  }
  return {
    maxBytes,
    refuseLarge,
    add(bytes) {
      size += bytes
      refuseLarge(0)
    },
    fault: () => fault
  }
}

function tooLarge(maxBytes: number): InputError {
  const fault = `answers more than ${maxBytes / megabyte} MB (setting graphql_max_answer_mb): ask for fewer items, or leave out long fields such as content and contentHtml`
  return new InputError({ query: fault }, `The query ${fault}.`)
}

/** The approximate size of a value as JSON. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + jsonBytes(each) + 1, 2)
  if (typeof value === 'object' && value !== null) return (JSON.stringify(value)?.length ?? 0) + 2
  return 8
}
