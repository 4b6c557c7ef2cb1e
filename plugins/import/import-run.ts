import type { Db, Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { UnusableText } from './conversion/convert.ts'
import { type FitContext, type FittedPost, fitPost } from './fit.ts'
import { formerPath } from './former-path.ts'
import { type ImportReport, type OpenReport, openReport } from './report.ts'
import { insertRedirects, listImported, lockSite, recordImported } from './repository.ts'
import type { ImportSource, SourceItem, SourcePost } from './source-post.ts'

export interface ImportDeps {
  db: Db
  posts: Posts
  now: () => Date
}

export interface ImportOptions {
  isDry: boolean
  actor: string
  timeZone: string
  signal: AbortSignal
  onProgress(done: number, total: number | undefined): void
}

/** One transaction stores so many posts, of so many characters together. */
const maxBatchPosts = 50
const maxBatchLength = 2_000_000
/** As many as the child processes have time for, while others' texts are rendered too. */
const maxAtOnce = 8

/**
 * Stores the posts of a source that are not here yet. A run that was killed is gone on from by the next: what a batch stored is
 * known. While a batch is written the next one is read.
 */
export async function runImport(deps: ImportDeps, source: ImportSource, options: ImportOptions): Promise<ImportReport> {
  const { system, site } = source
  const open = openReport({ system, site, dry_run: options.isDry })
  const context = { posts: deps.posts, timeZone: options.timeZone, now: deps.now() }
  let writing: Promise<void> = Promise.resolve()
  let done = 0
  for await (const items of batches(source.items())) {
    options.signal.throwIfAborted()
    const fitted = await prepare(deps, source, items, context, open)
    await writing
    writing = options.isDry ? countDry(fitted, open) : write(deps, source, fitted, options.actor, open)
    // It is awaited with the next batch; what fails before that must not end the process.
    writing.catch(() => {})
    done += items.length
    options.onProgress(done, source.total)
  }
  await writing
  return open.report
}

async function* batches(items: AsyncIterable<SourceItem>): AsyncIterable<SourceItem[]> {
  let batch: SourceItem[] = []
  let length = 0
  for await (const item of items) {
    batch.push(item)
    length += item.kind === 'post' ? item.post.text.value.length : 0
    if (batch.length < maxBatchPosts && length < maxBatchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

/** The posts of a batch that are new, ready to be stored. */
async function prepare(
  { db }: ImportDeps,
  source: ImportSource,
  items: readonly SourceItem[],
  context: FitContext,
  { report, note }: OpenReport
): Promise<FittedPost[]> {
  const posts: SourcePost[] = []
  for (const item of items) {
    if (item.kind === 'post') posts.push(item.post)
    else {
      report[item.kind] += 1
      note({ kind: item.kind, name: item.name, slug: null, note: item.reason })
    }
  }
  const known = await listImported(
    db,
    source,
    posts.map(({ id }) => id)
  )
  report.unchanged += posts.filter(({ id }) => known.has(id)).length
  const fresh = posts.filter(({ id }) => !known.has(id))
  const fitted = await mapSome(fresh, async post => {
    try {
      return await fitPost(post, context)
    } catch (error) {
      if (!(error instanceof UnusableText)) throw error
      report.failed += 1
      note({ kind: 'failed', name: post.name, slug: null, note: error.message })
      return null
    }
  })
  return fitted.filter(each => each !== null)
}

/** Some at once, with the answers in the order of the posts. */
async function mapSome<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const workOn = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, workOn))
  return results
}

async function write(
  { db, posts }: ImportDeps,
  source: ImportSource,
  fitted: readonly FittedPost[],
  actor: string,
  open: OpenReport
): Promise<void> {
  if (fitted.length === 0) return
  const stored = await db.transaction(async tx => {
    await lockSite(tx, source)
    // Another import of the same site may have stored some of them meanwhile.
    const known = await listImported(
      tx,
      source,
      fitted.map(({ source: { id } }) => id)
    )
    const fresh = fitted.filter(({ source: { id } }) => !known.has(id))
    return fresh.length === 0 ? [] : storeAll(tx, posts, source, fresh, actor)
  })
  for (const { fitted: each, slug, redirects } of stored) count(open, each, slug, redirects)
  open.report.unchanged += fitted.length - stored.length
}

/** A post that was stored. */
interface Stored {
  fitted: FittedPost
  slug: string
  redirects: number
}

async function storeAll(
  tx: Tx,
  posts: Posts,
  source: ImportSource,
  fresh: readonly FittedPost[],
  actor: string
): Promise<Stored[]> {
  const by = { actor, reason: `imported from ${source.system}` }
  const refs = await posts.imports.insert(
    tx,
    fresh.map(({ post }) => post),
    by
  )
  const pairs = fresh.flatMap((fitted, index) => {
    const ref = refs[index]
    return ref === undefined ? [] : [{ fitted, ref }]
  })
  await recordImported(
    tx,
    source,
    pairs.map(({ fitted, ref }) => ({ source_id: fitted.source.id, post_id: ref.post_id }))
  )
  const stored: Stored[] = []
  for (const { fitted, ref } of pairs) {
    const paths = [...new Set(fitted.source.addresses.flatMap(address => formerPath(address) ?? []))]
    const redirects = await insertRedirects(
      tx,
      paths.map(path => ({ path, post_id: ref.post_id }))
    )
    stored.push({ fitted, slug: ref.slug, redirects })
  }
  return stored
}

async function countDry(fitted: readonly FittedPost[], open: OpenReport): Promise<void> {
  for (const each of fitted) count(open, each, null, 0)
}

function count(
  { report, note }: OpenReport,
  { source, post, notes }: FittedPost,
  slug: string | null,
  redirects: number
) {
  report.imported += 1
  report[post.published_at === null ? 'drafts' : 'published'] += 1
  report.redirects += redirects
  const isMoved = slug !== null && source.slug !== '' && slug !== source.slug
  const moved = isMoved ? [`its slug is ${slug} (it was ${JSON.stringify(source.slug.slice(0, 100))})`] : []
  for (const each of [...moved, ...notes]) note({ kind: 'changed', name: source.name, slug, note: each })
}
