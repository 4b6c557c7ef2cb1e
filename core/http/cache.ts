import { gzip } from 'node:zlib'
import type { Changes } from '../plugin.ts'
import type { CacheRule } from './access.ts'
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

/** What the cache knew when a request began: its answer is kept only when nothing has changed since, and until the moment known then. */
export interface Filling {
  readonly rule: CacheRule
  readonly generation: number
  readonly until: number
}

/** What `keep` takes: the answer as it is about to be sent. */
export interface Answer {
  readonly url: string
  readonly route: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Answers kept as ready bytes by raw URL, bounded in bytes, dropped when a topic they depend on changes. */
export interface AnswerCache {
  /** Follows the topics of a route from boot on. */
  watch(topics: readonly string[]): void
  /** The kept answer, if it may still be served. */
  find(url: string): Kept | undefined
  /** Drops every answer that depends on `topic`, and those being made. */
  drop(topic: string): void
  /** Call before the handler reads anything. Undefined: the answer must not be kept. */
  begin(rule: CacheRule): Filling | undefined
  keep(filling: Filling, answer: Answer): void
  /** Makes the compressed form in the background. */
  compress(kept: Kept): void
  size(): { entries: number; bytes: number }
}

export function createAnswerCache(deps: { changes: Changes; maxBytes: () => number; now: () => Date }): AnswerCache {
  const { changes, maxBytes, now } = deps
  const entries = new Map<string, Kept>()
  const generations = new Map<string, number>()
  let bytes = 0

  const generationOf = (topics: readonly string[]) =>
    topics.reduce((sum, topic) => sum + (generations.get(topic) ?? 0), 0)
  const remove = (kept: Kept) => {
    entries.delete(kept.url)
    bytes -= bytesOf(kept)
  }
  const drop = (topic: string) => {
    generations.set(topic, (generations.get(topic) ?? 0) + 1)
    for (const kept of entries.values()) if (kept.topics.includes(topic)) remove(kept)
  }
  /** Second chance: the oldest goes, unless it was used since it was last looked at. */
  const evict = () => {
    for (const kept of entries.values()) {
      if (bytes <= maxBytes()) return
      if (kept.isUsed) {
        kept.isUsed = false
        entries.delete(kept.url)
        entries.set(kept.url, kept)
      } else remove(kept)
    }
  }

  return {
    watch(topics) {
      for (const topic of topics) {
        if (generations.has(topic)) continue
        generations.set(topic, 0)
        changes.on(topic, () => drop(topic))
      }
    },
    find(url) {
      const kept = entries.get(url)
      if (kept === undefined || !changes.isCurrent()) return undefined
      if (kept.expiresAt !== Number.POSITIVE_INFINITY && kept.expiresAt <= now().getTime()) {
        remove(kept)
        return undefined
      }
      kept.isUsed = true
      return kept
    },
    begin(rule) {
      if (maxBytes() === 0 || !changes.isCurrent()) return undefined
      return {
        rule,
        until: rule.until?.()?.getTime() ?? Number.POSITIVE_INFINITY,
        generation: generationOf(rule.topics)
      }
    },
    drop,
    keep({ rule, until, generation }, answer) {
      // A topic changed while the handler was reading: what it read may be either state.
      if (generation !== generationOf(rule.topics)) return
      const kept = toKept(answer, rule.topics, until)
      // One answer must not push out most of the others.
      if (bytesOf(kept) > maxBytes() / 4) return
      const previous = entries.get(kept.url)
      if (previous !== undefined) remove(previous)
      entries.set(kept.url, kept)
      bytes += bytesOf(kept)
      evict()
    },
    compress(kept) {
      if (kept.gzip !== undefined || kept.plain.body.length <= leastGzipBytes) return
      kept.gzip = null
      gzip(kept.plain.body, (error, packed) => {
        const isWorthIt = error === null && packed.length < kept.plain.body.length * 0.9
        if (!isWorthIt || entries.get(kept.url) !== kept) return
        kept.gzip = gzipForm(kept.plain, packed)
        bytes += packed.length
        evict()
      })
    },
    size: () => ({ entries: entries.size, bytes })
  }
}

function bytesOf(kept: Kept): number {
  return kept.plain.body.length + (kept.gzip?.body.length ?? 0) + kept.url.length + overheadBytes
}

function toKept({ url, route, etag, headers, body }: Answer, topics: readonly string[], expiresAt: number): Kept {
  const plain = { etag, head: headOf(headers), notModifiedHead: notModifiedHeadOf(headers), body }
  return { url, route, topics, expiresAt, plain, gzip: undefined, isUsed: false }
}

function gzipForm({ etag, head }: Form, body: Buffer): Form {
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
