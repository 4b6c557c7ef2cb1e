import type { SimilarPosts } from '#plugins/posts'
import type { Rail } from '../ports.ts'
import type { RailMode } from './qa.ts'

/** The rail's manifest; what it checks against is known only once the posts are. */
export const nearDuplicate = {
  name: 'near_duplicate',
  describe: 'The draft must not nearly repeat a published post.',
  mode: 'required',
  threshold: 15,
  weight: 1
} as const

/** Compares a draft with what is published already. Without the plugin search there is nothing to compare by. */
export function createNearDuplicateRail(similar: SimilarPosts | undefined): Rail {
  return {
    ...nearDuplicate,
    async check(draft) {
      if (similar === undefined) return { score: 100, note: 'Not compared: the plugin search is left out.' }
      const nearest = await similar.nearestText(draft.title, draft.content)
      if (nearest === null) return { score: 100, note: 'No published post is near it.' }
      const percent = Math.round(nearest.similarity * 100)
      const note = `Nearest published post: “${nearest.title}” (${nearest.slug}), ${percent} % similar.`
      // Texts on one subject share words, so only similarity above the baseline counts against the draft.
      const excess = Math.max(0, nearest.similarity - baselineSimilarity) / (1 - baselineSimilarity)
      return { score: Math.round((1 - excess) * 100), note }
    }
  }
}

const baselineSimilarity = 0.6

/** The similarity from which a score is below the threshold; null: the rail rejects no draft. */
export const minRefusedSimilarity = ({ mode, threshold }: { mode: RailMode; threshold: number }): number | null =>
  mode === 'required' ? baselineSimilarity + (1 - baselineSimilarity) * (1 - (threshold - 0.5) / 100) : null
