import type { Db, SettingsStore } from '#core'
import type { ImageUploads } from '#plugins/media'
import type { Announce, DeferredAnnouncements, Posts } from '#plugins/posts'
import { type ConversionContext, type ConvertedPost, convertPosts, type UnusablePost } from './convert-posts.ts'
import { createDryRun } from './dry-run.ts'
import { createImageTaker, type ImageTaker } from './images/image-taker.ts'
import { createImportReporter, type ImportReport, type ImportReporter } from './report.ts'
import { listImported } from './repository.ts'
import type { ImportSource, SourceItem, SourcePost } from './source-post.ts'
import { storeBatch } from './store-batch.ts'

export interface ImportDeps {
  db: Db
  now: () => Date
  posts: Posts
  /** Undefined without the plugin media. */
  uploads: ImageUploads | undefined
  store: Pick<SettingsStore, 'value'>
}

interface ImportOptions {
  isDry: boolean
  /** Pictures that are not here are fetched from their servers. */
  isFetching: boolean
  /** What `media_on_publish` asks for is made of the posts. */
  withMedia: boolean
  actor: string
  timeZone: string
  signal: AbortSignal
  onProgress(done: number, total: number | undefined): void
}

/** Of so many new posts the database plans otherwise. */
const analyzedFrom = 100

/** What follows thousands of posts would take the processor from their import: it waits for its end, at most so long. */
const maxAnnounceDelayMs = 5 * 60_000

/** One transaction stores so many posts, of so many characters together. */
const maxBatchPosts = 50
const maxBatchLength = 2_000_000

/**
 * Stores the posts of a source that are not here yet. A run that was killed is gone on from by the next: what a batch stored is
 * known. While a batch is written the next one is read.
 */
export async function runImport(deps: ImportDeps, source: ImportSource, options: ImportOptions): Promise<ImportReport> {
  const { system, site } = source
  const { isDry, actor, timeZone, signal } = options
  const reporter = createImportReporter({ system, site, dry_run: isDry })
  const images = imageTaker(deps, source, options)
  const context = { posts: deps.posts, images, timeZone, now: deps.now() }
  const deferred = deps.posts.imports.deferAnnouncements({ maxDelayMs: maxAnnounceDelayMs })
  const dryRun = createDryRun(deps)
  const storing = { ...deps, actor, announce: announceOf(deferred, options) }
  const seen = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let done = 0
  try {
    for await (const items of batches(source.items())) {
      signal.throwIfAborted()
      const fresh = await newPosts(deps.db, source, postsOf(items, seen, reporter), reporter)
      const converted = withoutUnusable(await convertInLanes(fresh, context), reporter)
      await writing
      writing = isDry ? dryRun(converted, reporter) : storeBatch(storing, source, converted, reporter)
      // It is awaited with the next batch; what fails before that must not end the process.
      writing.catch(() => {})
      done += items.length
      options.onProgress(done, source.total)
    }
    await writing
  } finally {
    // Of a batch that is still written, too.
    await writing.catch(() => {})
    await deferred.announceNow()
  }
  if (!isDry && reporter.report.imported >= analyzedFrom) await deps.posts.imports.analyze(deps.db)
  Object.assign(reporter.report, images.counts())
  return reporter.report
}

const announceOf =
  ({ announce }: DeferredAnnouncements, { withMedia }: ImportOptions): Announce =>
  (tx, published) =>
    announce(tx, withMedia ? published : published.map(post => ({ ...post, skips_media: true })))

const imageTaker = (
  { uploads, store }: ImportDeps,
  { findImage, siteUrl }: ImportSource,
  { isFetching, isDry, signal }: ImportOptions
): ImageTaker =>
  createImageTaker({
    uploads,
    // Until it has a public address, nobody else can ask the one that it listens at.
    urlOf: ({ url }) => (store.value('public_url') === '' ? new URL(url).pathname : url),
    find: findImage,
    isFetching,
    siteUrl,
    isDry,
    signal
  })

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

/** The posts of a batch. What is none is reported, and so is a post with the id of an earlier one: which of them is meant nobody knows. */
function postsOf(items: readonly SourceItem[], seen: Set<string>, { report, note }: ImportReporter): SourcePost[] {
  return items.flatMap(item => {
    const isRepeated = item.kind === 'post' && seen.has(item.post.id)
    if (item.kind === 'post' && !isRepeated) {
      seen.add(item.post.id)
      return item.post
    }
    const left =
      item.kind === 'post'
        ? { kind: 'failed' as const, name: item.post.name, reason: 'has the id of another post before it' }
        : item
    report[left.kind] += 1
    note({ kind: left.kind, name: left.name, slug: null, note: left.reason })
    return []
  })
}

/** Those that no earlier run stored. */
async function newPosts(
  db: Db,
  source: ImportSource,
  posts: readonly SourcePost[],
  { report }: ImportReporter
): Promise<SourcePost[]> {
  const known = await listImported(
    db,
    source,
    posts.map(({ id }) => id)
  )
  report.unchanged += known.size
  return posts.filter(({ id }) => !known.has(id))
}

/** Each has one text at work at a time: two keep both child processes busy. */
const lanes = ['import 1', 'import 2']

async function convertInLanes(
  posts: readonly SourcePost[],
  context: ConversionContext
): Promise<(ConvertedPost | UnusablePost)[]> {
  const half = Math.ceil(posts.length / lanes.length)
  const parts = lanes.map((lane, index) => convertPosts(posts.slice(index * half, (index + 1) * half), context, lane))
  return (await Promise.all(parts)).flat()
}

/** Those that can be stored; the others are reported. */
function withoutUnusable(
  posts: readonly (ConvertedPost | UnusablePost)[],
  { report, note }: ImportReporter
): ConvertedPost[] {
  return posts.flatMap(each => {
    if ('post' in each) return each
    report.failed += 1
    note({ kind: 'failed', name: each.source.name, slug: null, note: each.fault })
    return []
  })
}
