import type { GroupFileEntry, PartEntry } from './manifest.ts'

/** A file of groups that was written, and the paths of the files it names. */
export interface WrittenGroups {
  entry: GroupFileEntry
  paths: string[]
}

/** What earlier steps of a run wrote: later ones do not write it again. */
export interface WrittenSoFar {
  parts: Map<number, PartEntry>
  /** The posts of parts that are not finished: what their files show, by `post_id`. */
  posts: Map<string, string>
  groups: Map<number, WrittenGroups>
}
