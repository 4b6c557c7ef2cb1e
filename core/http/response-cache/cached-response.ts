import { anyOriginHeaders } from '../cors.ts'
import { type Coding, codedEtag, codings, matchesIfNoneMatch } from '../etag.ts'
import { securityHeaders } from '../security-headers.ts'
import { headerLines } from './head.ts'

/** Rough memory of an entry beside its bodies: its headers, its key, its entries in maps. */
const overheadBytes = 2_048
/** Below this, compression saves less than its headers cost. */
export const minPackedBytes = 1_024

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

export const bufferOf = (body: Body): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body)

/** One representation of a response. */
export interface Representation {
  /** All but the length of the body and those of one request. */
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
  /** The same as they are sent. */
  readonly lines: string
  readonly notModifiedLines: string
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
  /** Pages of every origin may read it. */
  readonly isForAnyOrigin: boolean
}

export interface CachedResponse {
  readonly sent: Omit<SentResponse, 'headers'>
  readonly expiresAt: number
  /** The response as it was first sent. */
  readonly identity: Representation
  /** By coding, made when first requested; null while it is being made or not worth having. */
  readonly packed: Partial<Record<Coding, Representation | null>>
}

const sizeOf = (made: Representation | null | undefined): number =>
  made ? made.lines.length + made.notModifiedLines.length + made.body.length : 0

/** Memory that a cached response takes. */
export const bytesOf = ({ sent, identity, packed: { br, gzip } }: CachedResponse): number =>
  sizeOf(identity) + sizeOf(br) + sizeOf(gzip) + sent.url.length + overheadBytes

/** @throws TypeError for a header that cannot be sent: Fastify will refuse the response, too. */
export function cachedResponse({ headers: all, ...sent }: SentResponse, expiresAt: number): CachedResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && !requestHeaders.test(name)) headers[name] = String(value)
  }
  if (sent.isForAnyOrigin) Object.assign(headers, anyOriginHeaders)
  return { sent, expiresAt, identity: represent({ ...headers, etag: sent.etag }, sent.body), packed: {} }
}

/** The same response, compressed. */
export function packedRepresentation({ identity }: CachedResponse, packed: Buffer, coding: Coding): Representation {
  const etag = codedEtag(identity.headers.etag, coding)
  return represent({ ...identity.headers, 'content-encoding': coding, etag }, bodyFrom(packed))
}

/** Headers of one request, of one connection, or of a body as it is sent. */
const requestHeaders =
  /^(content-length|x-request-id|connection|keep-alive|date|trailer|transfer-encoding|retry-after|ratelimit-.*|access-control-.*)$/

function represent(headers: Representation['headers'], body: Body): Representation {
  const notModified = Object.fromEntries(Object.entries(headers).filter(([name]) => ofNotModified.has(name)))
  return { headers, lines: headerLines(headers), notModifiedLines: headerLines(notModified), body }
}

/** RFC 9110 §15.4.5, and what every response has; everything else the reader has from the response it stored. */
const ofEvery = Object.keys({ ...securityHeaders, ...anyOriginHeaders })
const ofNotModified: ReadonlySet<string> = new Set(['cache-control', 'etag', 'vary', ...ofEvery])

/** The representation that an `If-None-Match` header names: the reader has it, whichever one it would get now. */
export function representationNamed(cached: CachedResponse, header: string | undefined): Representation | undefined {
  if (header === undefined) return undefined
  if (matchesIfNoneMatch(header, cached.identity.headers.etag)) return cached.identity
  for (const coding of codings) {
    const packed = cached.packed[coding]
    if (packed && matchesIfNoneMatch(header, packed.headers.etag)) return packed
  }
  return undefined
}

/** The best form that the reader takes, once it is ready, which `compress` sees to. */
export function negotiate(
  cached: CachedResponse,
  acceptEncoding: string | undefined,
  compress: (cached: CachedResponse, coding: Coding) => void
): Representation {
  const coding = acceptEncoding === undefined ? undefined : codings.find(each => accepts(acceptEncoding, each))
  if (coding === undefined) return cached.identity
  if (cached.packed[coding] === undefined) compress(cached, coding)
  return cached.packed[coding] ?? cached.identity
}

const refused: Readonly<Record<Coding, RegExp>> = {
  br: /\bbr\s*;\s*q=0(\.0*)?\s*(,|$)/,
  gzip: /\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/
}

const accepts = (header: string, coding: Coding): boolean => header.includes(coding) && !refused[coding].test(header)
