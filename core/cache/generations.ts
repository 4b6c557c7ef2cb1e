import type { Changes } from '../contract/changes.ts'

/** Counts the changes of topics. What was read before a change and finished after it is not stored. */
export interface Generations {
  follow(topics: readonly string[]): void
  /** Counts a change of a topic, or without one of all. */
  advance(topic: string | undefined): void
  /** Answers a function that is true from the first change on. */
  watch(topics: readonly string[]): () => boolean
}

export function createGenerations(
  changes: Pick<Changes, 'on'> | undefined,
  onChange: (topic: string) => void
): Generations {
  const counts = new Map<string, number>()
  const followed = new Set<string>()
  let all = 0
  const advance = (topic: string) => void counts.set(topic, (counts.get(topic) ?? 0) + 1)
  const sum = (topics: readonly string[]) => topics.reduce((total, topic) => total + (counts.get(topic) ?? 0), all)
  return {
    follow(topics) {
      for (const topic of topics) {
        if (followed.has(topic)) continue
        followed.add(topic)
        changes?.on(topic, () => {
          advance(topic)
          onChange(topic)
        })
      }
    },
    advance(topic) {
      if (topic === undefined) all += 1
      else advance(topic)
    },
    watch(topics) {
      const begun = sum(topics)
      return () => sum(topics) !== begun
    }
  }
}
