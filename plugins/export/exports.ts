import type { Db, Installation, Log, Queryable, Settings } from '#core'
import type { Post, PostSummary, Posts, PublishedPosts, Revised } from '#plugins/posts'
import { createExportFolder, type ExportFolder, folderOf, type Written } from './folder.ts'
import { knownPosts, type Manifest, manifestPath, type Origin, type PostFile } from './manifest.ts'
import { forgetBegun, isSafeSlug, type Owned, readOwned } from './ownership.ts'
import type { exportSettings } from './settings.ts'
import { indexText, listText, sitemapText } from './surfaces.ts'
import { createExclusively, createShared, type Exclusively } from './turns.ts'

/** What an export did. `files` and `bytes` count everything that is there afterwards. */
export interface ExportReport {
  posts: number
  files: number
  removed: number
  bytes: number
  duration_ms: number
}

/** The public posts as static files. Two never write at a time. */
export interface Exports {
  /** Writes every file anew. @throws UnavailableError when the folder cannot be used, the signal's reason once it is aborted. */
  rebuild(follower?: Follower): Promise<ExportReport>
  /** Writes the files of posts that changed, and all lists. @throws UnavailableError as `rebuild`. */
  refresh(signal: AbortSignal): Promise<ExportReport>
  /** Removes the file of a post that is not public, ahead of the refresh that the lists wait for. */
  withdraw(post_id: string, slug: string): Promise<void>
}

/** Who waits for a rebuild. It stops, between posts, once nobody does any more. */
export interface Follower {
  /** Told how many posts are written. */
  onProgress?(posts: number): void
  signal?: AbortSignal
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

const postsAtOnce = 200
/** A text may be half a megabyte. */
const textsAtOnce = 20
const indexPath = 'posts/index.json'

export function createExports(deps: ExportDeps): Exports {
  const exclusively = createExclusively(deps.db)
  // Those who ask meanwhile share a run, and each follows it.
  const followers = new Set<Follower>()
  const run: Run = {
    tell: posts => {
      for (const { onProgress } of followers) onProgress?.(posts)
    },
    checkWanted: () => {
      const signals = [...followers].map(({ signal }) => signal)
      if (signals.every(signal => signal?.aborted)) signals[0]?.throwIfAborted()
    }
  }
  const rebuild = async () => {
    const startedAt = performance.now()
    const folder = openFolder(deps)
    const { known, owned } = await writeAnew(deps, folder, exclusively, run)
    const { checkWanted } = run
    return exclusively(db =>
      bringUpToDate({ deps, db, folder, owned, known, files: new Map(), startedAt, checkWanted })
    )
  }
  const refresh = (signal: AbortSignal) =>
    exclusively(async db => {
      const [startedAt, folder] = [performance.now(), openFolder(deps)]
      await folder.prepare()
      const owned = await readOwned(folder)
      const known = await knownPosts(folder, originOf(deps))
      const checkWanted = () => signal.throwIfAborted()
      return bringUpToDate({ deps, db, folder, owned, known, files: new Map(), startedAt, checkWanted })
    })
  const withdraw = async (post_id: string, slug: string) => {
    if (!isSafeSlug(slug) || (await deps.published.isPublic(deps.db, post_id))) return
    const folder = openFolder(deps)
    const path = pathOf({ slug })
    if ((await folder.exists(path)) && (await readOwned(folder)).has(path)) await folder.remove(path)
  }
  const shared = createShared(rebuild)
  const followed = async (given: Follower = {}) => {
    const follower = { ...given }
    followers.add(follower)
    try {
      return await shared()
    } finally {
      followers.delete(follower)
    }
  }
  return { rebuild: followed, refresh, withdraw }
}

function openFolder({ settings, installation }: ExportDeps): ExportFolder {
  const target = settings.get('export_target')
  return createExportFolder(folderOf(target, installation.home), target === '')
}

function originOf({ installation }: ExportDeps): Origin {
  return { format: 1, version: installation.version, base_url: installation.baseUrl() }
}

/** Posts on their way into files. */
interface Writing {
  deps: ExportDeps
  db: Queryable
  folder: ExportFolder
  owned: Owned
  /** The posts' files by path, newest post first. */
  files: Map<string, PostFile>
}

interface Run {
  tell(posts: number): void
  /** @throws the reason of those who waited, when none does any more. */
  checkWanted(): void
}

/** Writes every post's file. Between pages others have their turn: a post withdrawn meanwhile does not wait for the whole. */
async function writeAnew(deps: ExportDeps, folder: ExportFolder, exclusively: Exclusively, { tell, checkWanted }: Run) {
  const files = new Map<string, PostFile>()
  const owned = await exclusively(async () => {
    await folder.prepare()
    return readOwned(folder)
  })
  for await (const page of deps.published.pages(deps.db, postsAtOnce)) {
    const post_ids = page.map(({ post }) => post.post_id)
    checkWanted()
    await exclusively(db => writePosts({ deps, db, folder, owned, files }, post_ids))
    tell(files.size)
  }
  return { known: files, owned }
}

/** One pass over all public posts. `known` holds the files that need not be written when they show the present revision. */
interface Pass extends Writing {
  known: ReadonlyMap<string, PostFile>
  startedAt: number
  checkWanted: Run['checkWanted']
}

async function bringUpToDate(pass: Pass): Promise<ExportReport> {
  const { deps, folder, files, startedAt } = pass
  const present = new Set((await folder.list('posts')).map(name => `posts/${name}`))
  const lists = await writeLists(pass, present)
  const removed = await removeStale(pass, present)
  const posts = [...files.values()]
  const manifest: Manifest = { ...originOf(deps), generated_at: deps.now().toISOString(), files: lists, posts }
  const all = [...lists, ...posts, await folder.write(manifestPath, [JSON.stringify(manifest)])]
  await forgetBegun(folder)
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0)
  const duration_ms = Math.round(performance.now() - startedAt)
  return { posts: posts.length, files: all.length, removed, bytes, duration_ms }
}

/** Writes the posts and, as they pass, their index; then the lists that name them. */
async function writeLists(pass: Pass, present: ReadonlySet<string>): Promise<Written[]> {
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

/** Brings every public post's file up to date, and passes on the posts that have one. */
async function* exportPosts(pass: Pass, present: ReadonlySet<string>): AsyncGenerator<PostSummary> {
  const { deps, db, known, files, checkWanted } = pass
  for await (const page of deps.published.pages(db, postsAtOnce)) {
    checkWanted()
    const changed: string[] = []
    for (const item of page.filter(({ post }) => isSafe(deps, post))) {
      const file = known.get(pathOf(item.post))
      if (file !== undefined && present.has(file.path) && shows(file, item)) files.set(file.path, file)
      else changed.push(item.post.post_id)
    }
    await writePosts(pass, changed)
    // A post withdrawn since the page was read has no file now.
    for (const { post } of page) if (files.get(pathOf(post))?.post_id === post.post_id) yield post
  }
}

async function writePosts({ deps, db, folder, owned, files }: Writing, post_ids: readonly string[]): Promise<void> {
  for (let at = 0; at < post_ids.length; at += textsAtOnce) {
    const texts = await deps.published.texts(db, post_ids.slice(at, at + textsAtOnce))
    const safe = texts.filter(({ post }) => isSafe(deps, post))
    await owned.claim(safe.map(({ post }) => pathOf(post)))
    const written = await Promise.all(safe.map(item => writePost(folder, item)))
    for (const file of written) files.set(file.path, file)
  }
}

async function writePost(folder: ExportFolder, { post, revision }: Revised<Post>): Promise<PostFile> {
  const { post_id, slug, updated_at } = post
  return { ...(await folder.write(pathOf(post), [JSON.stringify(post)])), post_id, slug, revision, updated_at }
}

/** Removes the files this export wrote that are no public post's. */
async function removeStale({ folder, owned, files }: Writing, present: ReadonlySet<string>): Promise<number> {
  const stale = [...present].filter(file => owned.has(file) && !files.has(file))
  for (const file of stale) await folder.remove(file)
  return stale.length
}

const pathOf = ({ slug }: { slug: string }) => `posts/${slug}.json`

const shows = (file: PostFile, { post, revision }: Revised<PostSummary>) =>
  file.post_id === post.post_id && file.revision === revision

function isSafe({ log }: ExportDeps, { post_id, slug }: { post_id: string; slug: string }): boolean {
  if (isSafeSlug(slug)) return true
  log.warn({ post_id, slug }, 'a post is left out of the export: its slug is no file name')
  return false
}
