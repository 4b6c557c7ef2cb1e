/** The methods of every route's pattern: a wrong method and a wrong path get different answers. */
export interface AllowedMethods {
  add(method: string, pattern: string): void
  /** Methods that exist at a path, sorted; empty when the path does not exist. */
  at(url: string): string[]
}

export function createAllowedMethods(): AllowedMethods {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>()
  return {
    add(method, pattern) {
      const known = patterns.get(pattern) ?? { matches: toRegExp(pattern), methods: new Set<string>() }
      known.methods.add(method)
      patterns.set(pattern, known)
    },
    at(url) {
      const [path = ''] = url.split(/[?#]/, 1)
      const found = [...patterns.values()]
        .filter(({ matches }) => matches.test(path))
        .flatMap(({ methods }) => [...methods])
      return [...new Set(found)].sort()
    }
  }
}

/** `/a/:id.mp3`, `/a/:id(^\\d+$)` and `/a/*`, loosely: what a parameter must look like does not matter here. */
function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/:(\w+)(\([^)]*\))?/g, '\0')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\0', '[^/]+')
    .replaceAll('\\*', '.*')
  return new RegExp(`^${source}$`)
}
