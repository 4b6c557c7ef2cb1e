import type { Segment } from '../repository/segments.ts'

/** So many segments of a size, one after the other, are merged into one. */
const mergeFactor = 8
/** Or so many, with smaller ones among them: few large ones are not written again for a small one. */
const maxWithSmaller = 2 * mergeFactor
const minOfClass = mergeFactor / 2
/** Posts of the smallest size; each next size has eight times as many. */
const smallest = 512

export const sizeClassOf = (posts: number): number =>
  posts < smallest ? 0 : 1 + Math.floor(Math.log(posts / smallest) / Math.log(mergeFactor))

/**
 * The segments to merge next, which follow each other; undefined when there are few enough. A text is written again once for each
 * size: some seven times among a million posts.
 */
export function nextMerge<S extends Pick<Segment, 'posts'>>(segments: readonly S[]): S[] | undefined {
  const classes = segments.map(({ posts }) => sizeClassOf(posts))
  for (const sizeClass of [...new Set(classes)].sort((a, b) => a - b)) {
    const run = runOf(segments, at => (classes[at] ?? 0) <= sizeClass)
    const ofClass = run.filter(({ posts }) => sizeClassOf(posts) === sizeClass)
    const isLong = run.length >= maxWithSmaller && ofClass.length >= minOfClass
    if (isLong || ofClass.length >= mergeFactor) return run
  }
  return undefined
}

/** The longest run of neighbours, the later one of two as long. */
function runOf<S>(all: readonly S[], isPart: (at: number) => boolean): S[] {
  let longest: S[] = []
  let run: S[] = []
  for (const [at, each] of all.entries()) {
    run = isPart(at) ? [...run, each] : []
    if (run.length >= longest.length) longest = run
  }
  return longest
}
