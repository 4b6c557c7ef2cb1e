import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ComparedPost, SimilarPost } from '#plugins/posts'
import { nearestByPassages, passages } from './passages.ts'

/** One passage in eight stands for its text: so that a thousand texts are a few megabytes. */
const sampled = 8
/** So many of those that share most of the sample are compared whole. */
const compared = 5
/** Texts read between two turns of the event loop: some milliseconds. */
const textsInTurn = 10

/**
 * The candidates that nearly repeat one of `others` or an earlier candidate that repeats nothing itself, with what they
 * repeat: of equal texts the first stays. Takes time in proportion to the texts, however many there are.
 */
export async function findDuplicates(
  candidates: readonly ComparedPost[],
  others: readonly ComparedPost[],
  isDuplicate: (found: SimilarPost) => boolean
): Promise<Map<string, SimilarPost>> {
  const bySample = new Map<number, ComparedPost[]>()
  const add = (row: ComparedPost, sample: ReadonlySet<number>) => {
    for (const mark of sample) bySample.set(mark, [...(bySample.get(mark) ?? []).slice(-20), row])
  }
  const turn = createTurns()
  for (const row of others) {
    await turn()
    add(row, sampleOf(row.content))
  }
  const duplicates = new Map<string, SimilarPost>()
  for (const row of candidates) {
    await turn()
    const sample = sampleOf(row.content)
    const found = nearestByPassages(mostShared(bySample, sample), row.content)
    if (found !== null && found.post_id !== row.post_id && isDuplicate(found)) duplicates.set(row.post_id, found)
    else add(row, sample)
  }
  return duplicates
}

function createTurns(): () => Promise<void> {
  let count = 0
  return async () => {
    count += 1
    if (count % textsInTurn === 0) await nextTurn()
  }
}

function mostShared(
  bySample: ReadonlyMap<number, readonly ComparedPost[]>,
  sample: ReadonlySet<number>
): ComparedPost[] {
  const shared = new Map<ComparedPost, number>()
  for (const mark of sample) for (const row of bySample.get(mark) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1)
  const ranked = [...shared].sort(([, one], [, other]) => other - one)
  return ranked.slice(0, compared).map(([row]) => row)
}

function sampleOf(content: string): Set<number> {
  const sample = new Set<number>()
  for (const passage of passages(content)) {
    const mark = hashOf(passage)
    if (mark % sampled === 0) sample.add(mark)
  }
  return sample
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
