import { gzipEtag } from './etag.ts'

/** Memory of an entry beside its bodies, roughly: its headers, its key, its place in the maps. */
const overheadBytes = 2_048
/** Below this, compression saves less than its headers cost. */
export const leastGzipBytes = 1_024

/** One form of an answer, as `writeHead` and `end` take it. */
export interface Form {
  readonly etag: string
  /** Names and values in turn. The last value is the request id's place, filled in right before each write. */
  readonly head: string[]
  readonly notModifiedHead: string[]
  readonly body: Buffer
}

/** An answer kept ready for anonymous readers. */
export interface Kept {
  readonly url: string
  /** The route's pattern, for metrics. */
  readonly route: string
  readonly topics: readonly string[]
  readonly expiresAt: number
  readonly plain: Form
  /** Made when first asked for; null while it is being made or not worth having. */
  gzip: Form | null | undefined
  /** Set on a hit: what was used since the last look round is not evicted. */
  isUsed: boolean
}

/** What `keep` takes: the answer as it is about to be sent. */
export interface Answer {
  readonly url: string
  readonly route: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Memory an answer takes. */
export function bytesOf(kept: Kept): number {
  return kept.plain.body.length + (kept.gzip?.body.length ?? 0) + kept.url.length + overheadBytes
}

/** Prepares an answer for writing. */
export function toKept(
  { url, route, etag, headers, body }: Answer,
  topics: readonly string[],
  expiresAt: number
): Kept {
  const plain = { etag, head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
  return { url, route, topics, expiresAt, plain, gzip: undefined, isUsed: false }
}

/** The compressed form of a plain one. */
export function gzipForm({ etag, head }: Form, body: Buffer): Form {
  const headers: Record<string, string> = {}
  for (let at = 0; at < head.length; at += 2) headers[head[at] as string] = head[at + 1] as string
  const packed = { ...headers, etag: gzipEtag(etag), 'content-encoding': 'gzip', 'content-length': String(body.length) }
  return { etag: packed.etag, head: headOf(packed), notModifiedHead: notModifiedHeadOf(packed), body }
}

function headOf(headers: Readonly<Record<string, string>>): string[] {
  const { 'x-request-id': _, ...others } = headers
  return [...Object.entries(others).flat(), 'x-request-id', '']
}

/** What RFC 9110 §15.4.5 wants on a 304; everything else the reader has from the answer it kept. */
function notModifiedHeadOf(headers: Readonly<Record<string, string>>): string[] {
  const kept = ['cache-control', 'etag', 'vary', 'x-content-type-options'].filter(name => headers[name] !== undefined)
  return headOf(Object.fromEntries(kept.map(name => [name, headers[name] as string])))
}

/** True when the reader takes gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || !header.includes('gzip')) return false
  return !/\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/.test(header)
}
