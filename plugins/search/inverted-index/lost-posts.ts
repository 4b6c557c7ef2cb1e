import { notIndexed, type PostTable } from './post-table.ts'

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
  { liveGenerations }: Pick<PostTable, 'liveGenerations'>,
  segments: readonly { first_generation: number; last_generation: number }[]
): LostPosts {
  const ranges = rangesOf(segments)
  const lost = new Set<IndexRuns>()
  let count = 0
  let range: GenerationRange = { first: 0, last: -1, isLost: false }
  for (let post = 0; post < liveGenerations.length; post++) {
    const generation = liveGenerations[post] ?? notIndexed
    if (generation === notIndexed) continue
    // Neighbours were mostly indexed together.
    if (generation < range.first || generation > range.last) range = rangeWith(generation, ranges) ?? range
    if (!range.isLost) continue
    count += 1
    lost.add(range)
  }
  return count === 0 ? noneLost : { count, generations: Array.from(lost, ({ first, last }) => ({ first, last })) }
}

/** The generations of each segment, and those between two, in their order: all that there may be. */
function rangesOf(segments: readonly { first_generation: number; last_generation: number }[]): GenerationRange[] {
  const ranges: GenerationRange[] = []
  let next = 0
  for (const { first_generation, last_generation } of segments.toSorted(
    (a, b) => a.first_generation - b.first_generation
  )) {
    if (first_generation > next) ranges.push({ first: next, last: first_generation - 1, isLost: true })
    ranges.push({ first: first_generation, last: last_generation, isLost: false })
    next = Math.max(next, last_generation + 1)
  }
  return [...ranges, { first: next, last: lastGeneration, isLost: true }]
}

/** The last that begins with a generation or before it. */
function rangeWith(generation: number, ranges: readonly GenerationRange[]): GenerationRange | undefined {
  let low = 0
  let high = ranges.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((ranges[middle]?.first ?? lastGeneration) <= generation) low = middle
    else high = middle - 1
  }
  return ranges[low]
}
