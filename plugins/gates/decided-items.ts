/** What a gate answers: the subject in its REST shape, a topic, a task, a post or a plugin's own. */
export interface DecidedItem {
  title?: unknown
  topic?: unknown
  slug?: unknown
  status?: unknown
  published_at?: unknown
  publish_at?: unknown
  post_id?: unknown
}

/** The time at which it will be public, ISO 8601; null when it has none. */
export function slotAhead({ published_at, publish_at }: DecidedItem, now: Date): string | null {
  const slots = [publish_at, published_at].filter(slot => typeof slot === 'string')
  return slots.find(slot => Date.parse(slot) > now.getTime()) ?? null
}
