import type { ByteRange } from '#plugins/storage'

/** What a request asks for of a file; `whole` when the header is ignored. */
export type RequestedRange = ByteRange | 'whole' | 'unsatisfiable'

/**
 * Parses a `Range` header (RFC 9110 §14.1.2). Other units, malformed ranges and several ranges are ignored, as a server may:
 * no answer has more bytes than the file, however many ranges are asked for and however they overlap.
 */
export function byteRange(header: string | undefined, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=[\s,]*(\d*)-(\d*)[\s,]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && isLess(last, first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Numbers of any length. A number cannot tell those of more than 15 digits apart, and all of them are beyond every file. */
const isLess = (a: string, b: string): boolean =>
  a.length <= 15 && b.length <= 15 ? Number(a) < Number(b) : BigInt(a) < BigInt(b)
