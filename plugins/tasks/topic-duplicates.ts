import { ConflictError, type Tx } from '#core'
import type { SimilarPosts } from '#plugins/posts'
import { listOpenTopics, type NearDuplicate } from './repository/topics.ts'
import { topicSimilarity } from './topic-similarity.ts'

/** Newest open topics a proposal is compared with: some milliseconds of work. */
const maxCompared = 2000

/** The open topic most like this one, read under the queue's lock: of two equal proposals at once the second finds the first. */
export async function nearestTopic(tx: Tx, topic: string): Promise<NearDuplicate | null> {
  let best: NearDuplicate | null = null
  for (const other of await listOpenTopics(tx, maxCompared)) {
    const similarity = topicSimilarity(topic, other.topic)
    if (similarity > (best?.similarity ?? 0))
      best = { type: 'topic', id: other.task_id, title: other.topic, similarity }
  }
  return best
}

/** Asked before the transaction: an embedder may be far away. */
export async function nearestPost(similar: SimilarPosts | undefined, topic: string): Promise<NearDuplicate | null> {
  const found = (await similar?.nearestTitle(topic)) ?? null
  return found && { type: 'post', id: found.post_id, title: found.title, similarity: found.similarity }
}

/** The nearest of those found, from a similarity on. */
export function nearestDuplicate(
  found: readonly (NearDuplicate | null)[],
  minSimilarity: number
): NearDuplicate | null {
  const [first] = found
    .flatMap(each => (each !== null && each.similarity >= minSimilarity ? [each] : []))
    .sort((a, b) => b.similarity - a.similarity)
  return first === undefined ? null : { ...first, similarity: Math.round(first.similarity * 100) / 100 }
}

/** One sentence for people. */
export const nearlyRepeats = ({ type, id, title, similarity }: NearDuplicate): string =>
  `nearly repeats the ${type === 'topic' ? 'open topic' : 'published post'} "${title}" (${id.slice(0, 8)}, similarity ${similarity.toFixed(2)})`

/** A proposal is refused for it. */
export const duplicateTopic = (near: NearDuplicate) =>
  new ConflictError(
    `The topic ${nearlyRepeats(near)}: propose another, or this one without --strict. Nothing was stored.`,
    'DUPLICATE_TOPIC'
  )
