import { type Queryable, service } from '#core'
import type { Post, PostSummary, PublishedPosts } from '#plugins/posts'
import type { ExportReport } from './export-report.ts'

/** A file of the export, as it is to be. */
export interface ExportFile {
  /** With `/`, below the target: letters, digits, `.`, `_` and `-`. */
  path: string
  content: string | Uint8Array
  /** Media type, for targets that keep one. */
  type: string
  /** Default: readers ask again each time. */
  cacheControl?: string
}

/** The public posts whose numbers begin alike, newest first: at most a thousand. */
export interface ExportPart {
  part: number
  posts: readonly PostSummary[]
}

/** What is known of all parts when the lists are written. */
export interface ExportTotals {
  /** Public posts. */
  posts: number
  parts: readonly { part: number; posts: number }[]
  labels: ReadLabels
}

/** All public posts, newest first: their numbers, and at the same places `number:revision`. */
export interface PublicOrder {
  post_nos: Int32Array
  versions: readonly string[]
}

/** The files of a post. */
export interface PostFiles {
  files: readonly ExportFile[]
  /** What they show of other posts, as `shownBeside` says it. */
  beside?: string
}

/** The categories and tags of public posts, with their counts. */
export interface PublicLabels {
  categories: Awaited<ReturnType<PublishedPosts['categories']>>
  tags: Awaited<ReturnType<PublishedPosts['tags']>>
}
/** Reads them at its first call in a run. */
export type ReadLabels = () => Promise<PublicLabels>

/** Files that show several posts, such as the list of a category. Its fingerprint changes with whatever they show. */
export interface ExportGroup {
  name: string
  fingerprint: string
}

/** Files in groups: a run writes those of the groups that changed. */
export interface ExportGroups {
  /** The folders of these files, such as `categories/`. No other file is in them. */
  readonly folders: readonly string[]
  all(db: Queryable, labels: ReadLabels): Promise<readonly ExportGroup[]>
  /** The files of groups of these names, a few dozen at most, in their order. */
  files(db: Queryable, names: readonly string[]): Promise<readonly (readonly ExportFile[])[]>
}

/**
 * Files that a plugin has in the export. A change of one post writes the files of that post, of its part, of the groups it is
 * in, and the lists that differ.
 */
export interface ExportSurface {
  readonly name: string
  /** Paths of lists that it always has. A target where somebody else's file has one of them is refused before anything changes. */
  listPaths(): readonly string[]
  /** Changes with whatever all its files depend on besides the posts: settings, templates. */
  key(): string | Promise<string>
  /** The paths of a post's files, also of one that is withdrawn. No other file has them. */
  postPaths(slug: string): readonly string[]
  /** The files of each of these posts, at the paths above, in their order. */
  postFiles(db: Queryable, posts: readonly Post[]): Promise<readonly PostFiles[]>
  /** Whether a file at a post's path that no part names is one of this surface. Default: it is somebody else's. */
  isOwn?(path: string, text: string): boolean
  /**
   * For files of posts that show other posts: a text for the number of each public post that changes with that, such as the
   * revisions of those others. Null where it has no such files now.
   */
  shownBeside?(db: Queryable, order: PublicOrder): Promise<((post_no: number) => string) | null>
  /** The files of a part. They depend on nothing but its posts and `key`. */
  partFiles?(part: ExportPart): Promise<readonly ExportFile[]> | readonly ExportFile[]
  readonly groups?: ExportGroups
  /** All other files: lists, feeds, assets. They are made at each run. */
  listFiles(db: Queryable, totals: ExportTotals): AsyncIterable<ExportFile> | Iterable<ExportFile>
}

/** The static export of the public posts. */
export interface StaticExport {
  /** Adds files to the export. Call it in `setup`. @throws TypeError when there is one of that name */
  register(surface: ExportSurface): void
  /** Has the export brought up to date soon: something but a post has changed. */
  requestRefresh(): Promise<void>
  /**
   * Brings the export up to date now, after any run under way. Who changes many pages calls it after each hundred: a withdrawal
   * waits for the run that is under way. @throws UnavailableError when the target cannot be used; the abort reason of `signal`
   */
  refresh(signal: AbortSignal): Promise<ExportReport>
}
export const ExportService = service<StaticExport>('export')
