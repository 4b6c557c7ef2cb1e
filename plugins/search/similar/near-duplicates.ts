import { setImmediate } from 'node:timers/promises'
import type { ComparedPost, SimilarPost } from '#plugins/posts'
import { nearestByShingles, shinglesOf } from './shingles.ts'

/** One shingle in eight is kept of each text, so that a thousand texts take a few megabytes. */
const sampleRate = 8
/** The texts that share most of the sample are compared whole: at most this many. */
const maxCompared = 5
/** Texts read before the event loop goes on: some milliseconds. */
const textsPerPause = 10

/**
 * Finds the candidates that nearly repeat another text: one of `others`, or an earlier candidate that is no duplicate
 * itself. Of equal texts the first is no duplicate. The time grows with the length of the texts, not with their square.
 */
export async function findDuplicates(
  candidates: readonly ComparedPost[],
  others: readonly ComparedPost[],
  isDuplicate: (found: SimilarPost) => boolean
): Promise<Map<string, SimilarPost>> {
  const bySample = new Map<number, ComparedPost[]>()
  const add = (row: ComparedPost, sample: ReadonlySet<number>) => {
    for (const shingle of sample) bySample.set(shingle, [...(bySample.get(shingle) ?? []).slice(-20), row])
  }
  const pause = createPauses()
  for (const row of others) {
    await pause()
    add(row, sampleOf(shinglesOf(row.content)))
  }
  const duplicates = new Map<string, SimilarPost>()
  for (const row of candidates) {
    await pause()
    const shingles = shinglesOf(row.content)
    const sample = sampleOf(shingles)
    const found = nearestByShingles(nearestBySample(bySample, sample), shingles)
    if (found !== null && found.post_id !== row.post_id && isDuplicate(found)) duplicates.set(row.post_id, found)
    else add(row, sample)
  }
  return duplicates
}

function createPauses(): () => Promise<void> {
  let count = 0
  return async () => {
    count += 1
    if (count % textsPerPause === 0) await setImmediate()
  }
}

function nearestBySample(
  bySample: ReadonlyMap<number, readonly ComparedPost[]>,
  sample: ReadonlySet<number>
): ComparedPost[] {
  const shared = new Map<ComparedPost, number>()
  for (const shingle of sample)
    for (const row of bySample.get(shingle) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1)
  const ranked = [...shared].sort(([, one], [, other]) => other - one)
  return ranked.slice(0, maxCompared).map(([row]) => row)
}

function sampleOf(shingles: readonly number[]): Set<number> {
  return new Set(shingles.filter(shingle => shingle % sampleRate === 0))
}
