import { setImmediate } from 'node:timers/promises'
import type { ComparedPost, SimilarPost } from '#plugins/posts'
import { fnv1a } from '#text'
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
    for (const hash of sample) bySample.set(hash, [...(bySample.get(hash) ?? []).slice(-20), row])
  }
  const pause = createPauses()
  for (const row of others) {
    await pause()
    add(row, sampleOf(row.content))
  }
  const duplicates = new Map<string, SimilarPost>()
  for (const row of candidates) {
    await pause()
    const sample = sampleOf(row.content)
    const found = nearestByShingles(nearestBySample(bySample, sample), row.content)
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
  for (const hash of sample) for (const row of bySample.get(hash) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1)
  const ranked = [...shared].sort(([, one], [, other]) => other - one)
  return ranked.slice(0, maxCompared).map(([row]) => row)
}

function sampleOf(content: string): Set<number> {
  const sample = new Set<number>()
  for (const shingle of shinglesOf(content)) {
    const hash = fnv1a(shingle)
    if (hash % sampleRate === 0) sample.add(hash)
  }
  return sample
}
