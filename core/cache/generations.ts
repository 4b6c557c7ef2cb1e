import type { Changes } from '../contract/changes.ts'

/** Counts the changes of tags. What was read before a change and finished after it is not stored. */
export interface Generations {
  subscribe(tags: readonly string[]): void
  /** Counts a change of a tag, or without one of all. */
  advance(tag: string | undefined): void
  /** Returns a function that is true from the first change on. */
  watch(tags: readonly string[]): () => boolean
}

export function createGenerations(
  changes: Pick<Changes, 'on'> | undefined,
  onChange: (tag: string) => void
): Generations {
  const counts = new Map<string, number>()
  const subscribed = new Set<string>()
  let all = 0
  const advance = (tag: string) => void counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const sum = (tags: readonly string[]) => tags.reduce((total, tag) => total + (counts.get(tag) ?? 0), all)
  return {
    subscribe(tags) {
      for (const tag of tags) {
        if (subscribed.has(tag)) continue
        subscribed.add(tag)
        changes?.on(tag, () => {
          advance(tag)
          onChange(tag)
        })
      }
    },
    advance(tag) {
      if (tag === undefined) all += 1
      else advance(tag)
    },
    watch(tags) {
      const begun = sum(tags)
      return () => sum(tags) !== begun
    }
  }
}
