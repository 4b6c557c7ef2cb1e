import type { PublicChange, RevalidationItem, RevalidationTarget } from './index.ts'

/** All registered targets. */
export interface Targets {
  /** @throws TypeError for a name that is taken */
  register(target: RevalidationTarget): void
  all(): readonly RevalidationTarget[]
  find(name: string): RevalidationTarget | undefined
  /** Those that are set up and have to be notified of a change, each with what of it. */
  affectedBy(change: PublicChange): { target: RevalidationTarget; items: readonly RevalidationItem[] }[]
}

export function createTargets(): Targets {
  const targets = new Map<string, RevalidationTarget>()
  return {
    register(target) {
      if (targets.has(target.name))
        throw new TypeError(`A revalidation target named ${target.name} is registered already.`)
      targets.set(target.name, target)
    },
    all: () => [...targets.values()],
    find: name => targets.get(name),
    affectedBy: change =>
      [...targets.values()]
        .filter(target => target.isSetUp())
        .map(target => ({ target, items: target.itemsOf(change) }))
        .filter(({ items }) => items.length > 0)
  }
}
