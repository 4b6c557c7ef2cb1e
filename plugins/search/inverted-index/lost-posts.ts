import { notIndexed, notPublished, type PostTable } from './post-table.ts'

/** Runs of indexing that follow each other. */
interface IndexRuns {
  first: number
  last: number
}

/** Published posts whose texts should stand in a segment that is not there. */
export interface LostPosts {
  count: number
  /** Theirs: between those of segments. */
  generations: readonly IndexRuns[]
}

export const noneLost: LostPosts = { count: 0, generations: [] }

interface GenerationRange extends IndexRuns {
  isLost: boolean
}

/** The last that there may be. */
const lastGeneration = 2_147_483_647

/** Looks at each post: some milliseconds for a million. */
export function lostPosts(
  { generations, publishedSeconds }: Pick<PostTable, 'generations' | 'publishedSeconds'>,
  segments: readonly { first_generation: number; last_generation: number }[]
): LostPosts {
  const lost = new Map<number, IndexRuns>()
  let count = 0
  let range: GenerationRange = { first: 0, last: -1, isLost: false }
  for (let post = 0; post < generations.length; post++) {
    const generation = generations[post] ?? notIndexed
    if (generation === notIndexed || publishedSeconds[post] === notPublished) continue
    // Neighbours were mostly indexed together.
    if (generation < range.first || generation > range.last) range = rangeAround(generation, segments)
    if (!range.isLost) continue
    count += 1
    lost.set(range.first, { first: range.first, last: range.last })
  }
  return count === 0 ? noneLost : { count, generations: [...lost.values()] }
}

/** The generations of a segment, or those between two. */
function rangeAround(
  generation: number,
  segments: readonly { first_generation: number; last_generation: number }[]
): GenerationRange {
  let first = 0
  let last = lastGeneration
  for (const { first_generation, last_generation } of segments) {
    if (first_generation <= generation && generation <= last_generation)
      return { first: first_generation, last: last_generation, isLost: false }
    if (last_generation < generation) first = Math.max(first, last_generation + 1)
    else last = Math.min(last, first_generation - 1)
  }
  return { first, last, isLost: true }
}
