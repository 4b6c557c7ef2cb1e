import { type Queryable, service } from '#core'
import type { Post, PostSummary, PublishedPosts } from '#plugins/posts'
import type { ExportReport } from './export-report.ts'

/** A file of the export, as it is to be. */
export interface ExportFile {
  /** With `/`, below the target: letters, digits, `.`, `_` and `-`. */
  path: string
  content: string | Uint8Array
  /** Media type, for targets that store one. */
  type: string
  /** Default: readers ask again each time. */
  cacheControl?: string
  /** A part of it is missing that may be there later: later runs make it again. */
  isUnfinished?: boolean
}

/** The public posts of a part, newest first. A part is a thousand consecutive post numbers: part 3 has 3000 to 3999. */
export interface ExportPart {
  part: number
  posts: readonly PostSummary[]
}

/** The counts of all parts, for the lists. */
export interface ExportTotals {
  /** Public posts. */
  posts: number
  parts: readonly { part: number; posts: number }[]
  /** They are read at the first call in a step. */
  labels(): Promise<PublicLabels>
}

/** The files of a post. */
export interface PostFiles {
  files: readonly ExportFile[]
  /** What they show of other posts: the text that `dependencies` has for it. */
  dependencies?: string
}

/** The other posts that the files of a post show. When `text` changes, the files are written again. */
export interface PostDependencies {
  text: string
  post_nos: readonly number[]
}

/** The categories and tags of public posts, with their counts. */
export interface PublicLabels {
  categories: Awaited<ReturnType<PublishedPosts['categories']>>
  tags: Awaited<ReturnType<PublishedPosts['tags']>>
}

/**
 * The posts of a list in a period: a month of the archive as 202611, a year of a category, of a tag or of the podcast. `hash`
 * changes with what readers see of them, `slug` is empty where there is one list of its kind.
 */
export interface ListPeriod {
  kind: 'archive' | 'categories' | 'tags' | 'podcast'
  slug: string
  period: number
  posts: number
  hash: string
}

/** A list of all periods. `hash` changes with whatever changes a period's. */
export type PublicList = Omit<ListPeriod, 'period'>

/** The lists of public posts, as they were when a step of a run began. */
export interface PublicLists {
  /** They are read at the first call in a step. */
  labels(): Promise<PublicLabels>
  all(): Promise<readonly PublicList[]>
  /** The periods of some lists. By list, the latest first, in the calendar of `operator_timezone`. */
  periods(lists: readonly Pick<PublicList, 'kind' | 'slug'>[]): Promise<readonly ListPeriod[]>
}

/** Files that show several posts, such as the pages of a category. The fingerprint changes with whatever they show. */
export interface ExportGroup {
  name: string
  fingerprint: string
}

/**
 * The groups of a surface. A run writes the files of groups that changed. Groups are in sets, such as a list with all its years:
 * a run asks only for the groups of sets that changed. The fingerprint of a set changes with those of its groups.
 */
export interface ExportGroups {
  /** The folders of these files, such as `categories/`. No other file is in them. */
  readonly folders: readonly string[]
  sets(db: Queryable, lists: PublicLists): Promise<readonly ExportGroup[]>
  /** The groups of each of the sets of these names, in their order. Asked after `sets`, for those that changed. */
  groups(db: Queryable, lists: PublicLists, sets: readonly string[]): Promise<readonly (readonly ExportGroup[])[]>
  /** The files of groups of these names, a few dozen at most, in their order. */
  files(db: Queryable, names: readonly string[]): Promise<readonly (readonly ExportFile[])[]>
}

/** What the files of posts show of other posts. When one of those changes, the files of its dependents are written again. */
export interface SurfaceDependencies {
  /** By number of the post. Its text is, for example, the numbers and revisions of the others. */
  of(db: Queryable, post_nos: readonly number[]): Promise<ReadonlyMap<number, PostDependencies>>
  /** The numbers of public posts that are to show one of these now. Those that showed one in the last run are known already. */
  dependents(db: Queryable, post_nos: readonly number[]): Promise<readonly number[]>
}

/**
 * Files that a plugin has in the export. A change of one post writes the files of that post, of its part, of the groups it is
 * in, and the lists that differ.
 */
export interface ExportSurface {
  readonly name: string
  /** Paths of lists that it always has. A target with an unowned file at one of them is refused before anything changes. */
  listPaths(): readonly string[]
  /** Changes with whatever all its files depend on besides the posts: settings, templates. */
  key(): string | Promise<string>
  /** The paths of a post's files, also of one that is withdrawn. No other file has them. */
  postPaths(slug: string): readonly string[]
  /** The files of each of these posts, at the paths above, in their order. */
  postFiles(db: Queryable, posts: readonly Post[], lists: PublicLists): Promise<readonly PostFiles[]>
  /** Whether a file at the path of a post or of a group that no manifest names was written by this surface. Default: it is unowned. */
  isOwn?(path: string, text: string): boolean
  /** For files of posts that show other posts. Null where it has no such files now. */
  dependencies?(): SurfaceDependencies | null
  /** The files of a part. They depend on nothing but its posts and `key`. */
  partFiles?(part: ExportPart): Promise<readonly ExportFile[]> | readonly ExportFile[]
  readonly groups?: ExportGroups
  /** All other files: lists, feeds, assets. They are made in each run. */
  listFiles(db: Queryable, totals: ExportTotals): AsyncIterable<ExportFile> | Iterable<ExportFile>
}

/** The static export of the public posts. */
export interface StaticExport {
  /** Adds files to the export. Call it in `setup`. @throws TypeError when there is one of that name */
  register(surface: ExportSurface): void
  /** Has the export brought up to date soon: something but a post has changed. */
  requestRefresh(): Promise<void>
  /**
   * Brings the export up to date now, after any run under way. A caller that changes many pages calls it after each hundred: a
   * withdrawal waits for the run that is under way. @throws UnavailableError when the target cannot be used; the abort reason of `signal`
   */
  refresh(signal: AbortSignal): Promise<ExportReport>
}
export const ExportService = service<StaticExport>('export')
