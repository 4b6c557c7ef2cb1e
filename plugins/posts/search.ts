import type { Db, Settings } from '#core'
import type { Memory } from '#plugins/memory'
import type { Links } from './links.ts'
import {
  type FoundRow,
  listFound,
  listOlderMatches,
  markEnd,
  markStart,
  type RankedRow,
  rankMatches
} from './repository/search.ts'
import { type PostSummary, summaryOf } from './representation.ts'
import type { postSettings } from './settings.ts'

/** Touched when memory learns of a post, which is after the post's own change. */
export const searchTopic = 'posts.search'

/** Newest matches that are ranked, and nearest passages that join them. */
const rankedMatches = 300
const nearestEntries = 50
/** Of reciprocal rank fusion: the usual constant; larger ones flatten the difference between the first ranks. */
const fusion = 60

/** A post found; `score` orders, it is no probability. `snippet` is HTML: escaped text with `<mark>`. */
export type Found = PostSummary & { score: number; snippet: string }

export interface Search {
  /** Public posts for a query, by words and by meaning, best first; by words alone when no embedder answers. */
  find(q: string, page: { limit: number; offset: number }): Promise<{ items: Found[]; total: number }>
}

export interface SearchDeps {
  db: Db
  memory: Memory | undefined
  settings: Settings<typeof postSettings>
  links: Links
}

export function createSearch({ db, memory, settings, links }: SearchDeps): Search {
  const nearestPosts = async (q: string) => {
    const matches = (await memory?.nearest('posts', q, nearestEntries)) ?? []
    const least = settings.get('search_min_similarity')
    return [...new Set(matches.filter(match => match.similarity >= least).map(match => match.source_id))].filter(isId)
  }
  return {
    find: async (q, { limit, offset }) => {
      const similar = await nearestPosts(q)
      const rows = await rankMatches(db, q, rankedMatches, similar)
      const ranked = fuse(rows, similar)
      const total = (rows[0]?.total ?? 0) + rows.filter(row => row.rank === null).length
      const wanted = ranked.slice(offset, offset + limit)
      const missing = Math.min(limit, total - offset) - wanted.length
      if (missing > 0) {
        const ids = ranked.map(match => match.post_id)
        const older = await listOlderMatches(db, q, ids, Math.max(0, offset - ranked.length), missing)
        wanted.push(...older.map(({ post_id }) => ({ post_id, score: 0 })))
      }
      if (wanted.length === 0) return { items: [], total }
      const found = await listFound(
        db,
        q,
        wanted.map(match => match.post_id)
      )
      return { items: inOrder(wanted, found, links), total }
    }
  }
}

interface Scored {
  post_id: string
  score: number
}

/** Adds up `1 / (60 + place)` over the list by words and the list by meaning; ties go to the newer post. */
function fuse(rows: readonly RankedRow[], similar: readonly string[]): Scored[] {
  const byWords = rows
    .filter(row => row.rank !== null)
    .sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0) || newerFirst(a, b))
  const scores = new Map(rows.map(row => [row.post_id, 0]))
  const add = (post_id: string, place: number) => {
    const score = scores.get(post_id)
    if (score !== undefined) scores.set(post_id, score + 1 / (fusion + place + 1))
  }
  byWords.forEach((row, place) => {
    add(row.post_id, place)
  })
  similar.forEach(add)
  return rows
    .map(row => ({ ...row, score: scores.get(row.post_id) ?? 0 }))
    .sort((a, b) => b.score - a.score || newerFirst(a, b))
    .map(({ post_id, score }) => ({ post_id, score: Math.round(score * 1e6) / 1e6 }))
}

function newerFirst(a: RankedRow, b: RankedRow): number {
  if (a.published_at !== b.published_at) return a.published_at > b.published_at ? -1 : 1
  return a.post_id < b.post_id ? 1 : -1
}

function inOrder(wanted: readonly Scored[], found: readonly FoundRow[], links: Links): Found[] {
  const byId = new Map(found.map(row => [row.post_id, row]))
  return wanted.flatMap(({ post_id, score }) => {
    const row = byId.get(post_id)
    return row === undefined ? [] : [{ ...summaryOf(row, links), score, snippet: snippetOf(row.headline) }]
  })
}

/** A headline without markdown's marks, escaped, its hits in `<mark>`. */
export function snippetOf(headline: string): string {
  const text = headline
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)?/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)\s+/gm, '')
    .replace(/\*\*|__|`+|~~/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return escapeHtml(text).replaceAll(markStart, '<mark>').replaceAll(markEnd, '</mark>')
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => escapes[character] ?? character)
}

// Entries of `posts` may be stored by hand under any id.
const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
