import { gzipEtag, matchesNone } from '../etag.ts'
import { securityHeaders } from '../security-headers.ts'

/** Memory of an entry beside its bodies, roughly: its headers, its key, its place in the maps. */
const overheadBytes = 2_048
/** Below this, compression saves less than its headers cost. */
export const minGzipBytes = 1_024

/**
 * A cached body. A small one is a text with one character for each byte (latin1): Node writes it and its head in one piece, and
 * a buffer apart from its head. A large one is a buffer: copying it would cost more than the second write.
 */
export type Body = string | Buffer
const maxTextBytes = 32_768

export function bodyFrom(payload: string | Buffer): Body {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  if (length > maxTextBytes) return typeof payload === 'string' ? Buffer.from(payload) : payload
  // An ASCII text is that already.
  if (typeof payload === 'string' && length === payload.length) return payload
  return (typeof payload === 'string' ? Buffer.from(payload) : payload).toString('latin1')
}

export function bufferOf(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body
}

/** One representation of a response, as `writeHead` and `end` take it. */
export interface Representation {
  readonly etag: string
  /** Names and values in turn. The last value is the place of the request id, filled in right before each write. */
  readonly head: string[]
  readonly notModifiedHead: string[]
  readonly body: Body
}

/** A response as it is about to be sent. */
export interface SentResponse {
  readonly url: string
  /** The route's pattern, for metrics. */
  readonly route: string
  readonly etag: string
  /** All that the reply has; those of one request or one connection are left out. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Body
}

export interface CachedResponse {
  readonly sent: SentResponse
  readonly expiresAt: number
  /** Made when first requested: many a cached response never is. */
  identity: Representation | undefined
  /** Made when first requested; null while it is being made or not worth having. */
  gzip: Representation | null | undefined
}

/** Memory that a cached response takes. */
export const bytesOf = ({ sent, gzip }: CachedResponse): number =>
  sent.body.length + (gzip?.body.length ?? 0) + sent.url.length + overheadBytes

/** The response as it was first sent. */
export function representationOf(cached: CachedResponse): Representation {
  cached.identity ??= toRepresentation(cached.sent)
  return cached.identity
}

/** Headers that belong to one request or one connection. */
const requestHeaders = /^(x-request-id|connection|keep-alive|date|retry-after|ratelimit-.*|access-control-.*)$/

function toRepresentation({ etag, headers: all, body }: SentResponse): Representation {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && !requestHeaders.test(name)) headers[name] = String(value)
  }
  headers['content-length'] = String(body.length)
  return { etag, head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
}

/** The compressed representation of another one. */
export function gzipRepresentation({ etag, head }: Representation, packed: Buffer): Representation {
  const body = bodyFrom(packed)
  const headers: Record<string, string> = {}
  for (let at = 0; at < head.length; at += 2) headers[head[at] as string] = head[at + 1] as string
  headers.etag = gzipEtag(etag)
  headers['content-encoding'] = 'gzip'
  headers['content-length'] = String(body.length)
  return { etag: gzipEtag(etag), head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
}

function headOf(headers: Readonly<Record<string, string>>): string[] {
  const { 'x-request-id': _, ...others } = headers
  return [...Object.entries(others).flat(), 'x-request-id', '']
}

// RFC 9110 §15.4.5, and what every response has; everything else the reader has from the response it stored.
const notModifiedHeaders = ['cache-control', 'etag', 'vary', ...Object.keys(securityHeaders)]

function notModifiedHeadOf(headers: Readonly<Record<string, string>>): string[] {
  const names = notModifiedHeaders.filter(name => headers[name] !== undefined)
  return headOf(Object.fromEntries(names.map(name => [name, headers[name] as string])))
}

/** The representation that an `If-None-Match` header names: the reader has it, whichever one it would get now. */
export function representationNamed(cached: CachedResponse, header: string | undefined): Representation | undefined {
  if (header === undefined) return undefined
  const identity = representationOf(cached)
  if (matchesNone(header, identity.etag)) return identity
  return cached.gzip && matchesNone(header, cached.gzip.etag) ? cached.gzip : undefined
}

/** The compressed one when the reader takes it and it is ready, which `compress` sees to. */
export function negotiate(
  cached: CachedResponse,
  acceptEncoding: string | undefined,
  compress: (cached: CachedResponse) => void
): Representation {
  if (!acceptsGzip(acceptEncoding)) return representationOf(cached)
  if (cached.gzip === undefined) compress(cached)
  return cached.gzip ?? representationOf(cached)
}

function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || !header.includes('gzip')) return false
  return !/\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/.test(header)
}
