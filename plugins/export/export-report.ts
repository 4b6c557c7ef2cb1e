/** What an export did. `files` and `bytes` count everything that is there afterwards. */
export interface ExportReport {
  posts: number
  files: number
  removed: number
  bytes: number
  duration_ms: number
}
