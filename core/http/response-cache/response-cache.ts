import { gzip } from 'node:zlib'
import type { CacheRule } from '../../contract/access.ts'
import type { Changes } from '../../contract/plugin.ts'
import {
  type Answer,
  bufferOf,
  bytesOf,
  gzipForm,
  type Kept,
  leastGzipBytes,
  plainOf,
  toKept
} from './cached-response.ts'

/** What the cache knew when a request began: its answer is kept only when nothing has changed since, and until the moment known then. */
export interface Filling {
  readonly rule: CacheRule
  readonly generation: number
  readonly until: number
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
  const store = createStore(maxBytes)
  const wasAsked = createAsked()
  const generations = new Map<string, number>()
  const generationOf = (topics: readonly string[]) =>
    topics.reduce((sum, topic) => sum + (generations.get(topic) ?? 0), 0)
  const drop = (topic: string) => {
    generations.set(topic, (generations.get(topic) ?? 0) + 1)
    store.removeAll(kept => kept.topics.includes(topic))
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
      const kept = store.get(url)
      if (kept === undefined || !changes.isCurrent()) return undefined
      if (kept.expiresAt !== Number.POSITIVE_INFINITY && kept.expiresAt <= now().getTime()) {
        store.remove(kept)
        return undefined
      }
      kept.isUsed = true
      return kept
    },
    drop,
    begin(rule) {
      if (maxBytes() === 0 || !changes.isCurrent()) return undefined
      return {
        rule,
        until: rule.until?.()?.getTime() ?? Number.POSITIVE_INFINITY,
        generation: generationOf(rule.topics)
      }
    },
    keep({ rule, until, generation }, answer) {
      if (rule.isKeptOnRepeat === true && !wasAsked(answer.url)) return
      // A topic changed while the handler was reading: what it read may be either state.
      if (generation === generationOf(rule.topics)) store.put(toKept(answer, rule.topics, until))
    },
    compress: kept => compress(store, kept),
    size: store.size
  }
}

const mostAsked = 5000

/** Answers whether an address was asked for lately, and notes it. */
function createAsked(): (url: string) => boolean {
  const asked = new Set<string>()
  return url => {
    if (asked.has(url)) return true
    asked.add(url)
    const [oldest] = asked
    if (asked.size > mostAsked && oldest !== undefined) asked.delete(oldest)
    return false
  }
}

function compress(store: Store, kept: Kept): void {
  if (kept.gzip !== undefined || kept.size <= leastGzipBytes) return
  kept.gzip = null
  gzip(bufferOf(kept.answer.body), (error, packed) => {
    const isWorthIt = error === null && packed.length < kept.size * 0.9
    if (!isWorthIt || store.get(kept.url) !== kept) return
    store.remove(kept)
    kept.gzip = gzipForm(plainOf(kept), packed)
    store.put(kept)
  })
}

interface Store {
  get(url: string): Kept | undefined
  put(kept: Kept): void
  remove(kept: Kept): void
  removeAll(matches: (kept: Kept) => boolean): void
  size(): { entries: number; bytes: number }
}

/** Holds answers by URL up to a number of bytes. */
function createStore(maxBytes: () => number): Store {
  const entries = new Map<string, Kept>()
  let bytes = 0
  const remove = (kept: Kept) => {
    if (entries.delete(kept.url)) bytes -= bytesOf(kept)
  }
  /** Second chance: the oldest goes, unless it was used since it was last looked at. */
  const evict = () => {
    for (const kept of entries.values()) {
      if (bytes <= maxBytes()) return
      entries.delete(kept.url)
      if (kept.isUsed) entries.set(kept.url, kept)
      else bytes -= bytesOf(kept)
      kept.isUsed = false
    }
  }
  return {
    get: url => entries.get(url),
    put(kept) {
      // One answer must not push out most of the others.
      if (bytesOf(kept) > maxBytes() / 4) return
      const previous = entries.get(kept.url)
      if (previous !== undefined) remove(previous)
      entries.set(kept.url, kept)
      bytes += bytesOf(kept)
      evict()
    },
    remove,
    removeAll(matches) {
      for (const kept of entries.values()) if (matches(kept)) remove(kept)
    },
    size: () => ({ entries: entries.size, bytes })
  }
}
