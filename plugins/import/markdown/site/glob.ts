/** A pattern with more is taken to match: what it says may hide a post. */
const maxAlternatives = 50
const maxLength = 500

/** Whether a path is meant by a pattern as generators have them: `/posts/**`, `{/a,/b}/*`. Its time grows with both lengths only. */
export function matchesGlob(glob: string, file: string): boolean {
  const patterns = glob.length > maxLength ? null : alternativesOf(glob)
  return patterns === null || patterns.some(pattern => matches(pattern, file))
}

/** Of `{a,b}c`: `ac` and `bc`. Null for too many. */
function alternativesOf(glob: string): string[] | null {
  const patterns = [glob]
  for (let index = 0; index < patterns.length; ) {
    const pattern = patterns[index] ?? ''
    const [braces, inner = ''] = /\{([^{}]*)\}/.exec(pattern) ?? []
    if (braces === undefined) index += 1
    else patterns.splice(index, 1, ...inner.split(',').map(each => pattern.replace(braces, () => each)))
    if (patterns.length > maxAlternatives) return null
  }
  return patterns
}

/** Follows all ways through the pattern at once. */
function matches(pattern: string, file: string): boolean {
  const tokens = pattern.match(/\*{1,2}|[^*]/gu) ?? []
  const reach = (at: number): number[] => (tokens[at]?.startsWith('*') ? [at, ...reach(at + 1)] : [at])
  let states = new Set(reach(0))
  for (const letter of file) {
    const next = [...states].flatMap(at => {
      const token = tokens[at]
      if (token === '**' || (token === '*' && letter !== '/')) return reach(at)
      return token === letter || (token === '?' && letter !== '/') ? reach(at + 1) : []
    })
    states = new Set(next)
    if (states.size === 0) return false
  }
  return states.has(tokens.length)
}
