import { type Queryable, service } from '#core'
import type { Post, PostSummary } from '#plugins/posts'

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
}

/**
 * Files that a plugin has in the export. A change of one post writes the files of that post, of its part, and the lists that
 * differ; so files of posts and parts depend on nothing else but `key`.
 */
export interface ExportSurface {
  readonly name: string
  /** Paths of lists that it always has. A target where somebody else's file has one of them is refused before anything changes. */
  readonly listPaths: readonly string[]
  /** Changes with whatever its files of posts and parts depend on besides them: settings, templates. */
  key(): string
  /** The paths of a post's files, also of one that is withdrawn. No other file has them. */
  postPaths(slug: string): readonly string[]
  /** The files of a post, at the paths above. */
  postFiles(post: Post): Promise<readonly ExportFile[]> | readonly ExportFile[]
  /** The files of a part. */
  partFiles?(part: ExportPart): Promise<readonly ExportFile[]> | readonly ExportFile[]
  /** All other files: lists, feeds, assets. */
  listFiles(db: Queryable, totals: ExportTotals): AsyncIterable<ExportFile> | Iterable<ExportFile>
}

/** The static export of the public posts. */
export interface StaticExport {
  /** Adds files to the export. Call it in `setup`. @throws TypeError when there is one of that name */
  register(surface: ExportSurface): void
}
export const ExportService = service<StaticExport>('export')
