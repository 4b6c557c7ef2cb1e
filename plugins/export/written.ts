import type { GroupFileEntry, PartEntry } from './manifest.ts'

/** A file of groups, and the paths of the files it names. */
export interface WrittenGroups {
  entry: GroupFileEntry
  paths: string[]
}

/** What a run wrote before it gave way: it does not write that again. */
export interface WrittenSoFar {
  parts: Map<number, PartEntry>
  /** Of the part it is at: what was shown of each post, by `post_id`. */
  posts: Map<string, string>
  groups: Map<number, WrittenGroups>
}

/** Whether something more important waits. */
export type MustYield = () => Promise<boolean>
