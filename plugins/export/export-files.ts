import type { Db, Installation, Log, Queryable, Settings } from '#core'
import type { Post, PostSummary, Posts, PublishedPosts, Revised } from '#plugins/posts'
import type { ExportLock } from './export-lock.ts'
import { indexText, listText, sitemapText } from './file-contents.ts'
import type { ExportFolder, Written } from './folder.ts'
import { type ExportOrigin, type Manifest, manifestPath, type PostFile } from './manifest.ts'
import { clearMarker, isSafeSlug, type Owned, readOwned } from './ownership.ts'
import type { exportSettings } from './settings.ts'

/** What an export did. `files` and `bytes` count everything that is there afterwards. */
export interface ExportReport {
  posts: number
  files: number
  removed: number
  bytes: number
  duration_ms: number
}

export interface ExportDeps {
  published: PublishedPosts
  publicUrl: Posts['publicUrl']
  settings: Settings<typeof exportSettings>
  installation: Installation
  db: Db
  log: Log
  now: () => Date
}

const pageSize = 200
/** A text may have half a megabyte. */
const textBatchSize = 20
const indexPath = 'posts/index.json'

export function exportOrigin({ installation }: ExportDeps): ExportOrigin {
  return { format: 1, version: installation.version, base_url: installation.baseUrl() }
}

/** The folder being written, with the files written so far. */
interface Writing {
  deps: ExportDeps
  db: Queryable
  folder: ExportFolder
  owned: Owned
  /** The posts' files by path, newest post first. */
  files: Map<string, PostFile>
}

/** What a rebuild reports, and asks, between pages. */
export interface RebuildProgress {
  reportProgress(posts: number): void
  /** @throws the abort reason once nobody waits for the rebuild any more. */
  throwIfAbandoned(): void
}

/** Writes every post's file. The lock is released after each page, so that a withdrawn post is removed at once. */
export async function writeAllPosts(
  deps: ExportDeps,
  folder: ExportFolder,
  lock: ExportLock,
  { reportProgress, throwIfAbandoned }: RebuildProgress
) {
  const files = new Map<string, PostFile>()
  const owned = await lock(async () => {
    await folder.prepare()
    return readOwned(folder)
  })
  for await (const page of deps.published.pages(deps.db, pageSize)) {
    const post_ids = page.map(({ post }) => post.post_id)
    throwIfAbandoned()
    await lock(db => writePosts({ deps, db, folder, owned, files }, post_ids))
    reportProgress(files.size)
  }
  return { exported: files, owned }
}

/** One pass over all public posts. Files in `exported` are skipped when they show the current revision. */
export interface ExportPass extends Writing {
  exported: ReadonlyMap<string, PostFile>
  startedAt: number
  throwIfAbandoned(): void
}

/** Writes changed posts and all lists, removes stale files, and writes the manifest last. */
export async function updateExport(pass: ExportPass): Promise<ExportReport> {
  const { deps, folder, files, startedAt } = pass
  const present = new Set((await folder.list('posts')).map(name => `posts/${name}`))
  const lists = await writeLists(pass, present)
  const removed = await removeStale(pass, present)
  const posts = [...files.values()]
  const manifest: Manifest = { ...exportOrigin(deps), generated_at: deps.now().toISOString(), files: lists, posts }
  const all = [...lists, ...posts, await folder.write(manifestPath, [JSON.stringify(manifest)])]
  await clearMarker(folder)
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0)
  const duration_ms = Math.round(performance.now() - startedAt)
  return { posts: posts.length, files: all.length, removed, bytes, duration_ms }
}

/** Writes the posts with their index, then the lists that name them. */
async function writeLists(pass: ExportPass, present: ReadonlySet<string>): Promise<Written[]> {
  const { deps, db, folder, files } = pass
  const { published, publicUrl } = deps
  const index = await folder.write(indexPath, indexText(exportPosts(pass, present)))
  const urls = [...files.values()].map(({ slug, updated_at }) => ({ url: publicUrl(slug), updated_at }))
  return [
    index,
    await folder.write('categories.json', [listText(await published.categories(db))]),
    await folder.write('tags.json', [listText(await published.tags(db))]),
    await folder.write('feed.xml', [await published.feedXml(db)]),
    await folder.write('feed.json', [await published.feedJson(db)]),
    await folder.write('sitemap.xml', sitemapText(urls))
  ]
}

/** Writes the files of changed posts, and yields every post that has a file. */
async function* exportPosts(pass: ExportPass, present: ReadonlySet<string>): AsyncGenerator<PostSummary> {
  const { deps, db, exported, files, throwIfAbandoned } = pass
  for await (const page of deps.published.pages(db, pageSize)) {
    throwIfAbandoned()
    const changed: string[] = []
    for (const item of page.filter(({ post }) => isSafe(deps, post))) {
      const file = exported.get(pathOf(item.post))
      if (file !== undefined && present.has(file.path) && isCurrent(file, item)) files.set(file.path, file)
      else changed.push(item.post.post_id)
    }
    await writePosts(pass, changed)
    // A post withdrawn since the page was read has no file.
    for (const { post } of page) if (files.get(pathOf(post))?.post_id === post.post_id) yield post
  }
}

async function writePosts({ deps, db, folder, owned, files }: Writing, post_ids: readonly string[]): Promise<void> {
  for (let at = 0; at < post_ids.length; at += textBatchSize) {
    const texts = await deps.published.texts(db, post_ids.slice(at, at + textBatchSize))
    const safe = texts.filter(({ post }) => isSafe(deps, post))
    await owned.claim(safe.map(({ post }) => pathOf(post)))
    const written = await Promise.all(safe.map(item => writePost(folder, item)))
    for (const file of written) files.set(file.path, file)
  }
}

async function writePost(folder: ExportFolder, { post, revision }: Revised<Post>): Promise<PostFile> {
  const { post_id, slug, updated_at } = post
  const written = await folder.write(pathOf(post), [JSON.stringify(post)])
  return { ...written, post_id, slug, revision, updated_at }
}

/** Removes files of posts that are no longer public, if this export wrote them. */
async function removeStale({ folder, owned, files }: Writing, present: ReadonlySet<string>): Promise<number> {
  const stale = [...present].filter(file => owned.has(file) && !files.has(file))
  for (const file of stale) await folder.remove(file)
  return stale.length
}

/** The post's file in the export. */
export const pathOf = ({ slug }: { slug: string }) => `posts/${slug}.json`

const isCurrent = (file: PostFile, { post, revision }: Revised<PostSummary>) =>
  file.post_id === post.post_id && file.revision === revision

function isSafe({ log }: ExportDeps, { post_id, slug }: { post_id: string; slug: string }): boolean {
  if (isSafeSlug(slug)) return true
  log.warn({ post_id, slug }, 'a post is left out of the export: its slug is not a file name')
  return false
}
