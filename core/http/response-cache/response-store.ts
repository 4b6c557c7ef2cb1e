import { brotliCompress, constants, gzip } from 'node:zlib'
import { createBoundedMap } from '../../cache/bounded-map.ts'
import { createCache } from '../../cache/cache.ts'
import type { CacheRule } from '../../contract/access.ts'
import type { Changes } from '../../contract/changes.ts'
import type { Coding } from '../etag.ts'
import {
  bufferOf,
  bytesOf,
  type CachedResponse,
  cachedResponse,
  minPackedBytes,
  packedRepresentation,
  type SentResponse
} from './cached-response.ts'

/** Requests of routes that cache their responses. */
export interface CacheCounts {
  hits: number
  misses: number
}

/** The cached responses by URL, the query included. */
export interface ResponseStore {
  /** The cached response, if it may still be sent. */
  find(url: string): CachedResponse | undefined
  /** Call before the handler reads anything. Undefined: the response must not be cached. */
  begin(rule: CacheRule): ((response: SentResponse) => void) | undefined
  /** Compresses a response in the background. */
  compress(cached: CachedResponse, coding: Coding): void
  invalidate(tag: string): void
  size(): { entries: number; bytes: number }
}

export function createResponseStore(deps: { changes: Changes; maxBytes(): number; now(): Date }): ResponseStore {
  const { changes, maxBytes, now } = deps
  const cache = createCache<CachedResponse>({ changes, maxBytes, bytesOf })
  const requested = createBoundedMap<string, true>({ maxEntries: () => maxRequestedUrls })
  const wasRequested = (url: string) => {
    const known = requested.get(url) ?? false
    if (!known) requested.set(url, true)
    return known
  }
  return {
    find(url) {
      const cached = cache.get(url)
      if (cached === undefined) return undefined
      if (cached.expiresAt === Number.POSITIVE_INFINITY || cached.expiresAt > now().getTime()) return cached
      cache.delete(url)
      return undefined
    },
    begin(rule) {
      if (maxBytes() === 0 || !changes.isCurrent()) return undefined
      const store = cache.begin(rule.tags)
      const expiresAt = rule.until?.()?.getTime() ?? Number.POSITIVE_INFINITY
      return sent => {
        const isTooRare = rule.isCachedOnRepeat === true && !wasRequested(sent.url)
        if (!isTooRare) store(sent.url, cachedResponse(sent, expiresAt))
      }
    },
    compress(cached, coding) {
      const { url, body } = cached.sent
      if (cached.packed[coding] !== undefined || body.length <= minPackedBytes) return
      cached.packed[coding] = null
      pack[coding](bufferOf(body), (error, packed) => {
        if (error !== null || packed.length >= body.length * 0.9) return
        cached.packed[coding] = packedRepresentation(cached, packed, coding)
        cache.measure(url)
      })
    },
    invalidate: cache.invalidate,
    size: cache.size
  }
}

const maxRequestedUrls = 5000

type Pack = (body: Buffer, done: (error: Error | null, packed: Buffer) => void) => void

/** Both work in threads of Node's own. The higher levels of Brotli take many times as long, and save little more. */
const pack: Readonly<Record<Coding, Pack>> = {
  br: (body, done) => brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, done),
  gzip
}
