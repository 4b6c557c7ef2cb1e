import type { Similar } from './similar/similar.ts'
import type { Vocabulary } from './vocabulary/vocabulary.ts'

/**
 * Brings up to date what is stored beside the posts: words and titles. At the same time, so that this process works on one
 * while the database does on another.
 */
export const createIndexUpdater =
  ({ vocabulary, similar }: { vocabulary: Vocabulary; similar: Similar }) =>
  async (post_ids: readonly string[]): Promise<void> => {
    const updates = [vocabulary.addWordsOf(post_ids), similar.embedTitles(post_ids)]
    // A retry starts when all have ended.
    await Promise.allSettled(updates)
    await Promise.all(updates)
  }
