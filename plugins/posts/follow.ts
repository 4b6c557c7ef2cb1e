import type { MemoryEntries } from './memory-entries.ts'
import type { Vocabulary } from './search/vocabulary.ts'
import type { Similar } from './similar.ts'

export interface Followers {
  vocabulary: Vocabulary
  entries: MemoryEntries | undefined
  similar: Similar
}

/**
 * Brings up to date what is kept beside the posts: words, memory, titles. At the same time, so that this process works on one while
 * the database does on another.
 */
export async function followPosts(
  { vocabulary, entries, similar }: Followers,
  post_ids: readonly string[]
): Promise<void> {
  const followers = [vocabulary.learn(post_ids), entries?.follow(post_ids), similar.embedTitles(post_ids)]
  // A retry starts when all have ended.
  await Promise.allSettled(followers)
  await Promise.all(followers)
}
