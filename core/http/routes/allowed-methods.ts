/** The methods of every route's pattern: a wrong method and a wrong path get different answers. */
export interface AllowedMethods {
  add(method: string, pattern: string): void
  /** Methods of the most specific pattern that a path fits, sorted; empty when the path does not exist. */
  at(url: string): string[]
}

/** Sorts after every character of a path, and a wildcard after a parameter: the most specific pattern is the first. */
const parameter = '\ufffe'
const wildcard = '\uffff'

export function createAllowedMethods(): AllowedMethods {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>()
  return {
    add(method, pattern) {
      // Loosely: neither the name of a parameter nor what it must look like matters here.
      const shape = `${pattern.replace(/:(\w+)(\([^)]*\))?/g, parameter).replaceAll('*', wildcard)}${wildcard}`
      const known = routes.get(shape) ?? { matches: toRegExp(shape.slice(0, -1)), methods: new Set<string>() }
      known.methods.add(method)
      routes.set(shape, known)
    },
    at(url) {
      const [path = ''] = url.split(/[?#]/, 1)
      const [first = ''] = [...routes.keys()].filter(shape => routes.get(shape)?.matches.test(path)).sort()
      return [...(routes.get(first)?.methods ?? [])].sort()
    }
  }
}

function toRegExp(shape: string): RegExp {
  const literal = shape.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(parameter, '[^/]+').replaceAll(wildcard, '.*')}$`)
}
