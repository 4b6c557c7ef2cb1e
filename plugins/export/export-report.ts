/** What an export did. `files` and `bytes` count everything that is there afterwards. */
export interface ExportReport {
  posts: number
  files: number
  /** Files that lack a part: the next runs make them again. */
  unfinished: number
  removed: number
  bytes: number
  duration_ms: number
}
