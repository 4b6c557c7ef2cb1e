// How well posts are found, on judged collections in BEIR's or TREC's layout: nDCG@10, recall@10 and MRR of search by words,
// by meaning and by both, and of memory's search, through the service's own API; beside them plain BM25 and ts_rank.
//   node bench/search-quality.ts <folder> … [--server postgres://…] [--split test] [--field title] [--set key=value …]
import path from 'node:path'
import type { Db } from '../core/contract/database.ts'
import { type Galley, makeGalley, type Serving } from './galley.ts'
import {
  type Judged,
  type JudgedDocument,
  meanQuality,
  type Quality,
  qualityOf,
  readJudged,
  UsageError
} from './judged.ts'
import { readOptions } from './quality-options.ts'
import { type Find, findByBm25, findByTsRank, findPassages, findPosts, slugOf } from './quality-rankings.ts'
import { addTextVectors } from './seed-words.ts'

type Qualities = Record<string, Quality>

const longestQuery = 500
// A post has a title; this one says nothing.
const noTitle = '·'

try {
  const options = readOptions(process.argv.slice(2))
  // All are read first: a collection that cannot be read is told before an hour was spent on another.
  const collections = options.folders.map(folder => ({ folder, collection: readJudged(folder, options) }))
  const all: Qualities[] = []
  for (const { folder, collection } of collections) {
    const { documents, queries } = collection
    console.log(`${path.basename(folder)}: ${documents.length} documents, ${queries.size} queries`)
    const qualities = await measureCollection(collection, options)
    show(qualities)
    all.push(qualities)
  }
  if (all.length > 1) {
    console.log(`Means of ${all.length} collections`)
    show(meansOf(all))
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

function meansOf(all: readonly Qualities[]): Qualities {
  const names = Object.keys(all[0] ?? {})
  return Object.fromEntries(names.map(name => [name, meanQuality(all.flatMap(each => each[name] ?? []))]))
}

function show(qualities: Qualities): void {
  const bm25 = qualities.BM25?.['nDCG@10'] ?? Number.NaN
  const rows = Object.entries(qualities).map(([name, quality]) => {
    const gain = (quality['nDCG@10'] / bm25 - 1) * 100
    const values = Object.entries(quality).map(([key, value]) => [key, value.toFixed(4)])
    return [name, { ...Object.fromEntries(values), 'over BM25': `${gain.toFixed(1)} %` }]
  })
  console.table(Object.fromEntries(rows))
}

interface TrialOptions {
  server: string | undefined
  settings: readonly (readonly [string, string])[]
}

async function measureCollection(collection: Judged, { server, settings }: TrialOptions): Promise<Qualities> {
  const { documents } = collection
  const galley = await makeGalley(server)
  try {
    // Before the index: `search_language` decides about the terms.
    for (const [key, value] of [['rate_limit_search_per_minute', '0'] as const, ...settings])
      await setSetting(galley, key, value)
    await galley.database(db => insertDocuments(db, documents))
    await galley.database(addTextVectors)
    await galley.command('search', 'update')
    await galley.command('memory', 'backfill-posts')
    const token = (await galley.command('auth', 'mint-token')).trim()
    const measure = (find: Find) => measureQueries(collection, find)
    await setSetting(galley, 'search_by_meaning', 'false')
    const words = await served(galley, serving => measure(findPosts(serving, documents)))
    await setSetting(galley, 'search_by_meaning', 'true')
    return {
      BM25: await measure(findByBm25(documents)),
      'ts_rank, any of the words': await galley.database(db => measure(findByTsRank(db, documents))),
      words,
      ...(await served(galley, async serving => ({
        hybrid: await measure(findPosts(serving, documents)),
        'memory, similarity': await measure(await findPassages(serving, documents, { token, mode: 'similarity' })),
        'memory, hybrid': await measure(await findPassages(serving, documents, { token, mode: 'hybrid' }))
      })))
    }
  } finally {
    await galley.remove()
  }
}

async function setSetting(galley: Galley, key: string, value: string): Promise<void> {
  await galley.command('settings', 'set', key, value).catch(({ stderr }: { stderr: string }) => {
    throw new UsageError(`--set ${key}=${value}: ${stderr.trim()}`)
  })
}

async function served<T>(galley: Galley, work: (serving: Serving) => Promise<T>): Promise<T> {
  const serving = await galley.serve()
  return work(serving).finally(() => serving.stop())
}

async function insertDocuments(db: Db, all: readonly JudgedDocument[]): Promise<void> {
  const batch = 500
  for (let first = 0; first < all.length; first += batch) {
    const some = all.slice(first, first + batch)
    await db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select slug, title, content, '', 'published', '2026-01-01'
       from unnest($1::text[], $2::text[], $3::text[]) as t (slug, title, content)`,
      [some.map((_, at) => slugOf(first + at)), some.map(each => each.title || noTitle), some.map(each => each.text)]
    )
  }
  await db.script('analyze')
}

async function measureQueries({ queries, judged }: Judged, find: Find): Promise<Quality> {
  const all: Quality[] = []
  for (const [id, text] of queries) {
    const q = text.slice(0, longestQuery)
    all.push(qualityOf(q.trim() === '' ? [] : await find(q), judged.get(id) ?? new Map()))
  }
  return meanQuality(all)
}
