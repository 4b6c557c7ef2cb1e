// The ways to find documents that search-quality.ts compares. Each gives the ids of at most 100, best first.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../core/contract/database.ts'
import type { Serving } from './galley.ts'
import type { JudgedDocument } from './judged.ts'

export type Find = (q: string) => Promise<string[]>

const limit = 100
const maxTries = 10

/** Documents are posts, each with the slug of its position. */
export const slugOf = (position: number): string => `d${position}`
const idOf = (documents: readonly JudgedDocument[], slug = ''): string => documents[Number(slug.slice(1))]?.id ?? ''

/** BM25 over title and text as one, as textbooks have it: k1 1.2, b 0.75, Porter's stems, any of the words. */
export function findByBm25(documents: readonly JudgedDocument[]): Find {
  const db = new DatabaseSync(':memory:')
  db.exec("create virtual table texts using fts5(text, content='', tokenize='porter unicode61')")
  const insert = db.prepare('insert into texts (rowid, text) values (?, ?)')
  db.exec('begin')
  for (const [at, { title, text }] of documents.entries()) insert.run(at, `${title} ${text}`)
  db.exec('commit')
  const select = db.prepare('select rowid from texts where texts match ? order by rank limit ?')
  return async q => {
    const words = q.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    if (words.length === 0) return []
    const rows = select.all(words.map(word => `"${word}"`).join(' OR '), limit)
    return rows.map(row => documents[Number(row.rowid)]?.id ?? '')
  }
}

export function findPosts({ url }: Serving, documents: readonly JudgedDocument[]): Find {
  return async q => {
    const address = `${url}/api/posts/search?limit=${limit}&q=${encodeURIComponent(q)}`
    for (let tries = 1; ; tries++) {
      const { items, degraded } = (await get(address)) as { items: { slug: string }[]; degraded: boolean }
      // On a busy machine the embedder is late at first, and then not asked for some seconds.
      if (!degraded || tries === maxTries) return items.map(item => idOf(documents, item.slug))
      await sleep(2000)
    }
  }
}

/** What PostgreSQL offers without more: its weight of all words, rare or not. */
export function findByTsRank(db: Db, documents: readonly JudgedDocument[]): Find {
  return async q => {
    const rows = await db.query<{ slug: string }>(
      `with asked as (select replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery as q)
       select slug from posts, asked where search @@ q order by ts_rank(search, q) desc, slug limit ${limit}`,
      [q]
    )
    return rows.map(row => idOf(documents, row.slug))
  }
}

/** Memory's passages by similarity, or by similarity and words (`hybrid`). Each document counts with its best passage. */
export async function findPassages(
  { url }: Serving,
  documents: readonly JudgedDocument[],
  { token, mode }: { token: string; mode: 'similarity' | 'hybrid' }
): Promise<Find> {
  const slugs = await slugsById(url)
  return async q => {
    const query = `mode=${mode}&limit=${limit}&min_similarity=0&source_table=posts&q=${encodeURIComponent(q)}`
    const items = await itemsAt<{ source_id: string }>(`${url}/api/memory/search?${query}`, token)
    return [...new Set(items.map(item => item.source_id))].map(id => idOf(documents, slugs.get(id)))
  }
}

async function slugsById(url: string): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (let cursor = ''; ; ) {
    const page = (await get(`${url}/api/posts?limit=${limit}${cursor}`)) as {
      items: { post_id: string; slug: string }[]
      next_cursor: string | null
    }
    for (const { post_id, slug } of page.items) known.set(post_id, slug)
    if (page.next_cursor === null) return known
    cursor = `&cursor=${page.next_cursor}`
  }
}

const itemsAt = async <T>(url: string, token?: string): Promise<T[]> =>
  ((await get(url, token)) as { items: T[] }).items

async function get(url: string, token?: string): Promise<unknown> {
  const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
  return response.json()
}
