import { gzipEtag, matchesNone } from '../etag.ts'
import { securityHeaders } from '../security-headers.ts'

/** Memory of an entry beside its bodies, roughly: its headers, its key, its place in the maps. */
const overheadBytes = 2_048
/** Below this, compression saves less than its headers cost. */
export const leastGzipBytes = 1_024

/**
 * A body as it is kept. A small one is a text with one character for each byte (latin1): Node writes it and its head in
 * one piece, and a buffer apart from its head. A large one is a buffer: to copy it would cost more than the second write.
 */
export type Bytes = string | Buffer
const mostTextBytes = 32_768

export function bytesFrom(body: string | Buffer): Bytes {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  if (length > mostTextBytes) return typeof body === 'string' ? Buffer.from(body) : body
  // An ASCII text is that already.
  if (typeof body === 'string' && length === body.length) return body
  return (typeof body === 'string' ? Buffer.from(body) : body).toString('latin1')
}

export function bufferOf(bytes: Bytes): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
}

/** One form of an answer, as `writeHead` and `end` take it. */
export interface Form {
  readonly etag: string
  /** Names and values in turn. The last value is the request id's place, filled in right before each write. */
  readonly head: string[]
  readonly notModifiedHead: string[]
  readonly body: Bytes
}

/** An answer kept ready for anonymous readers. */
export interface Kept {
  readonly url: string
  /** The route's pattern, for metrics. */
  readonly route: string
  readonly topics: readonly string[]
  readonly expiresAt: number
  readonly answer: Answer
  readonly size: number
  /** Made when first asked for: many a kept answer never is. */
  plain: Form | undefined
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
  /** All that the reply has; those of one request or one connection are left out. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Bytes
}

/** Headers that belong to one request or one connection. */
const ownHeaders = /^(x-request-id|connection|keep-alive|date|retry-after|ratelimit-.*|access-control-.*)$/

/** Memory an answer takes. */
export function bytesOf(kept: Kept): number {
  return kept.size + (kept.gzip?.body.length ?? 0) + kept.url.length + overheadBytes
}

/** Prepares an answer for writing. */
export function toKept(answer: Answer, topics: readonly string[], expiresAt: number): Kept {
  const { url, route, body } = answer
  return { url, route, topics, expiresAt, answer, size: body.length, plain: undefined, gzip: undefined, isUsed: false }
}

/** The answer as it was first sent. */
export function plainOf(kept: Kept): Form {
  kept.plain ??= formOf(kept.answer)
  return kept.plain
}

function formOf({ etag, headers: all, body }: Answer): Form {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && !ownHeaders.test(name)) headers[name] = String(value)
  }
  headers['content-length'] = String(body.length)
  return { etag, head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
}

/** The compressed form of a plain one. */
export function gzipForm({ etag, head }: Form, packed: Buffer): Form {
  const body = bytesFrom(packed)
  const headers: Record<string, string> = {}
  for (let at = 0; at < head.length; at += 2) headers[head[at] as string] = head[at + 1] as string
  Object.assign(headers, {
    etag: gzipEtag(etag),
    'content-encoding': 'gzip',
    'content-length': String(body.length)
  })
  return { etag: gzipEtag(etag), head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
}

function headOf(headers: Readonly<Record<string, string>>): string[] {
  const { 'x-request-id': _, ...others } = headers
  return [...Object.entries(others).flat(), 'x-request-id', '']
}

// RFC 9110 §15.4.5, and what every answer has; everything else the reader has from the answer it kept.
const notModifiedHeaders = ['cache-control', 'etag', 'vary', ...Object.keys(securityHeaders)]

function notModifiedHeadOf(headers: Readonly<Record<string, string>>): string[] {
  const kept = notModifiedHeaders.filter(name => headers[name] !== undefined)
  return headOf(Object.fromEntries(kept.map(name => [name, headers[name] as string])))
}

/** The form an `If-None-Match` header names: the reader has it, whichever form it would get now. */
export function formNamed(kept: Kept, header: string | undefined): Form | undefined {
  if (header === undefined) return undefined
  const plain = plainOf(kept)
  if (matchesNone(header, plain.etag)) return plain
  return kept.gzip && matchesNone(header, kept.gzip.etag) ? kept.gzip : undefined
}

/** True when the reader takes gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || !header.includes('gzip')) return false
  return !/\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/.test(header)
}
