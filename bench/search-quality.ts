// How well posts are found, on a judged collection in BEIR's or TREC's layout: nDCG@10, recall@10 and MRR of search by
// words, by meaning, and of both fused, through the service's own doors; beside them PostgreSQL's own ranking.
//   node bench/search-quality.ts <folder> [--server postgres://…] [--split test] [--field title] [--set key=value …]
import type { Db } from '../core/contract/database.ts'
import { makeGalley, type Serving } from './galley.ts'
import { type JudgedDocument, meanQuality, type Quality, qualityOf, readJudged, UsageError } from './judged.ts'
import { readOptions } from './quality-options.ts'

const { server, settings, documents, queries, judged } = readAll()
const longestQuery = 500
// A post has a title; this one says nothing.
const noTitle = '·'

let known: Map<string, string> | undefined
const galley = await makeGalley(server)
try {
  await galley.database(db => insertDocuments(db, documents))
  await galley.command('memory', 'backfill-posts')
  for (const setting of settings) await setSetting(setting)
  const token = (await galley.command('auth', 'mint-token')).trim()
  const rows: Record<string, object> = {}
  const add = (name: string, quality: Quality) => {
    rows[name] = Object.fromEntries(Object.entries(quality).map(([key, value]) => [key, value.toFixed(4)]))
    return quality['nDCG@10']
  }
  await galley.command('settings', 'set', 'search_by_meaning', 'false')
  const byWords = add('full text', await served(serving => measure(q => findPosts(serving, q))))
  const byMeaning = add('vectors', await served(serving => measure(q => findByMeaning(serving, token, q))))
  await galley.command('settings', 'set', 'search_by_meaning', 'true')
  add('ts_rank, any of the words', await galley.database(db => measure(q => findByRank(db, q))))
  const byBoth = add('hybrid', await served(serving => measure(q => findPosts(serving, q))))
  console.log(`${documents.length} documents, ${queries.size} queries`)
  console.table(rows)
  const gain = (byBoth / Math.max(byWords, byMeaning) - 1) * 100
  console.log(`hybrid nDCG@10 against the better of the two: ${gain.toFixed(1)} %; target: 5 %`)
} catch (error) {
  tell(error)
} finally {
  await galley.remove()
}

function readAll() {
  try {
    const options = readOptions(process.argv.slice(2))
    return { ...options, ...readJudged(options.folder, options) }
  } catch (error) {
    tell(error)
    return process.exit()
  }
}

function tell(error: unknown): void {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function setSetting(setting: readonly [string, string]): Promise<void> {
  await galley.command('settings', 'set', ...setting).catch(({ stderr }: { stderr: string }) => {
    throw new UsageError(`--set ${setting.join('=')}: ${stderr.trim()}`)
  })
}

async function served<T>(work: (serving: Serving) => Promise<T>): Promise<T> {
  const serving = await galley.serve()
  return work(serving).finally(() => serving.stop())
}

async function insertDocuments(db: Db, all: readonly JudgedDocument[]): Promise<void> {
  const batch = 500
  for (let first = 0; first < all.length; first += batch) {
    const some = all.slice(first, first + batch)
    await db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'd' || n, title, content, '', 'published', '2026-01-01'
       from unnest($1::int[], $2::text[], $3::text[]) as t (n, title, content)`,
      [some.map((_, at) => first + at), some.map(each => each.title || noTitle), some.map(each => each.text)]
    )
  }
  await db.script('analyze')
}

async function measure(find: (q: string) => Promise<string[]>): Promise<Quality> {
  const all: Quality[] = []
  for (const [id, text] of queries) {
    const q = text.slice(0, longestQuery)
    all.push(qualityOf(q.trim() === '' ? [] : await find(q), judged.get(id) ?? new Map()))
  }
  return meanQuality(all)
}

function idOf(slug: string): string {
  return documents[Number(slug.slice(1))]?.id ?? ''
}

async function findPosts(serving: Serving, q: string): Promise<string[]> {
  const { items } = (await get(`${serving.url}/api/posts/search?limit=100&q=${encodeURIComponent(q)}`)) as {
    items: { slug: string }[]
  }
  return items.map(item => idOf(item.slug))
}

/** What PostgreSQL offers without more: its weight of all words, rare or not. */
async function findByRank(db: Db, q: string): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `with asked as (select replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery as q)
     select slug from posts, asked where search @@ q order by ts_rank(search, q) desc, slug limit 100`,
    [q]
  )
  return rows.map(row => idOf(row.slug))
}

/** Each document counts with its nearest passage. */
async function findByMeaning(serving: Serving, token: string, q: string): Promise<string[]> {
  const { items } = (await get(
    `${serving.url}/api/memory/search?limit=100&min_similarity=0&source_table=posts&q=${encodeURIComponent(q)}`,
    { authorization: `Bearer ${token}` }
  )) as { items: { source_id: string }[] }
  const slugs = await slugsById(serving)
  return [...new Set(items.map(item => item.source_id))].map(id => idOf(slugs.get(id) ?? ''))
}

async function slugsById(serving: Serving): Promise<Map<string, string>> {
  if (known !== undefined) return known
  known = new Map()
  for (let cursor = ''; ; ) {
    const page = (await get(`${serving.url}/api/posts?limit=100${cursor}`)) as {
      items: { post_id: string; slug: string }[]
      next_cursor: string | null
    }
    for (const { post_id, slug } of page.items) known.set(post_id, slug)
    if (page.next_cursor === null) return known
    cursor = `&cursor=${page.next_cursor}`
  }
}

async function get(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
  return response.json()
}
