import type { Matcher } from './matching.ts'
import type { Terms } from './terms.ts'

/** Posts by the words they share with a text. */
export interface AlikePosts {
  /** Numbers of the posts that share words with a title, best first. */
  toTitle(title: string, count: number): Promise<number[]>
}

export function createAlikePosts({ terms, matcher }: { terms: Terms; matcher: Matcher }): AlikePosts {
  return {
    toTitle: async (title, count) => {
      const [slots = []] = await terms.read([title], await terms.languages())
      return matcher.alike(
        slots.flatMap(slot => slot.terms),
        count
      )
    }
  }
}
