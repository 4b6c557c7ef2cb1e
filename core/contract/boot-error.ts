/** Why the service does not boot: which plugin, what is wrong, and what to do. */
export interface BootProblem {
  plugin: string
  /** Each of them, where several share the fault; `plugin` then lists them for people. */
  plugins?: readonly string[]
  cause: string
  remedy: string
}

/** All problems found, together: fix them in one go. */
export class BootError extends Error {
  readonly problems: readonly BootProblem[]

  constructor(problems: readonly BootProblem[]) {
    const lines = problems.map(({ plugin, cause, remedy }) => `- ${plugin}: ${cause}. ${remedy}`)
    super(`The service does not boot:\n${lines.join('\n')}`)
    this.name = 'BootError'
    this.problems = problems
  }
}

/** How messages name the kernel, where they would name a plugin. */
export const kernelName = 'the kernel'

/** The problem of two plugins that bring the same thing, or of one that brings it twice. `first`: null for the kernel. */
export function duplicateOf(plugin: string, what: string, key: string, first: string | null): BootProblem {
  return {
    plugin,
    cause: `the ${what} ${JSON.stringify(key)} is already brought by ${first ?? kernelName}`,
    remedy:
      first === plugin || first === null
        ? `Rename the ${what}.`
        : `Remove one of the two from plugins.config.json, or rename the ${what}.`
  }
}

/** What is brought twice, by plugins or by one and the kernel. `ofKernel`: keys that the kernel brings. */
export function duplicatesIn<T>(
  what: string,
  items: readonly T[],
  describe: (item: T) => { plugin: string; keys: readonly string[] },
  ofKernel: readonly string[] = []
): BootProblem[] {
  const owners = new Map<string, string | null>(ofKernel.map(key => [key, null]))
  return items.map(describe).flatMap(({ plugin, keys }) =>
    keys.flatMap(key => {
      const first = owners.get(key)
      if (first === undefined) owners.set(key, plugin)
      return first === undefined ? [] : [duplicateOf(plugin, what, key, first)]
    })
  )
}
