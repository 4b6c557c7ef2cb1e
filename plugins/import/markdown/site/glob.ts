/** A pattern with more is taken to match: what it says may hide a post. */
const maxAlternatives = 50
const maxLength = 500
/** Of each alternative. */
const maxRuns = 10

/** A sign of a pattern, or a run of signs: whether it stands for a letter of a path. */
interface Token {
  isRun: boolean
  takes(letter: string): boolean
}

/**
 * Whether a path is meant by a pattern as generators have them: `/posts/**`, `{/a,/b}/*`. The time for a path is bounded
 * by its length, times the alternatives, times the runs of stars in one.
 */
export function globPattern(glob: string): (path: string) => boolean {
  const alternatives = glob.length > maxLength ? null : alternativesOf(glob)
  return matcherOf(alternatives?.map(each => (each.match(/\*+|[^*]/gu) ?? []).map(globToken)) ?? null)
}

/** The same for a pattern of Ruby's `File.fnmatch?` without flags: its signs stand for slashes, too, and braces for themselves. */
export function fnmatchPattern(pattern: string): (path: string) => boolean {
  const tokens = pattern.match(/\*+|\[(?:\\.|[^\]\\])*\]|\\.|[^*]/gsu) ?? []
  const isKnown = pattern.length <= maxLength && !tokens.some(token => token === '[' || token === '\\')
  return matcherOf(isKnown ? [tokens.map(fnmatchToken)] : null)
}

/** The same for a regular expression of Hugo, which may meet any part of a path. One with other signs than `.*` is taken to match. */
export function regexPattern(pattern: string): (path: string) => boolean {
  const tokens = pattern.replace(/^\^/, '').match(/\.[*+]|\\.|\$$|[^\\]/gsu) ?? []
  const isKnown =
    pattern.length <= maxLength && tokens.every(token => /^(?:\.[*+]?|\\[^\w\s]|\$|[^\\^$*+?()[\]{}|])$/su.test(token))
  if (!isKnown) return matcherOf(null)
  const hasEnd = tokens.at(-1) === '$'
  const parts = ['.*', ...(hasEnd ? tokens.slice(0, -1) : [...tokens, '.*'])].flatMap(token =>
    token === '.+' ? ['.', '.*'] : [token]
  )
  // Of runs beside each other one is enough.
  return matcherOf([parts.filter((part, at) => part !== '.*' || parts[at - 1] !== '.*').map(regexToken)])
}

function regexToken(token: string): Token {
  if (token === '.' || token === '.*') return { isRun: token === '.*', takes: () => true }
  return { isRun: false, takes: letter => letter === unescaped(token) }
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

function globToken(token: string): Token {
  if (token.startsWith('**')) return { isRun: true, takes: () => true }
  if (token === '*') return { isRun: true, takes: letter => letter !== '/' }
  return { isRun: false, takes: letter => letter === token || (token === '?' && letter !== '/') }
}

function fnmatchToken(token: string): Token {
  if (token.startsWith('*')) return { isRun: true, takes: () => true }
  if (token === '?') return { isRun: false, takes: () => true }
  const [, not, inner = ''] = /^\[([!^]?)(.*)\]$/su.exec(token) ?? []
  if (not === undefined) return { isRun: false, takes: letter => letter === unescaped(token) }
  const ranges = [...inner.matchAll(/(\\?.)(?:-(\\?.))?/gsu)].map(([, from = '', to = from]) =>
    [from, to].map(unescaped)
  )
  const isIn = (letter: string) => ranges.some(([from = '', to = '']) => from <= letter && letter <= to)
  return { isRun: false, takes: letter => isIn(letter) === (not === '') }
}

const unescaped = (sign: string): string => sign.replace(/^\\(?=.)/su, '')

/** Matches all for null, and for what has more than anybody writes. */
function matcherOf(alternatives: readonly (readonly Token[])[] | null): (path: string) => boolean {
  const isTooLong = alternatives?.some(tokens => tokens.filter(({ isRun }) => isRun).length > maxRuns) ?? true
  return path => isTooLong || (alternatives?.some(tokens => matches(tokens, path)) ?? true)
}

/** Follows all ways through the pattern at once. No run stands next to another. */
function matches(tokens: readonly Token[], path: string): boolean {
  const reach = (at: number): number[] => (tokens[at]?.isRun === true ? [at, at + 1] : [at])
  let states = new Set(reach(0))
  for (const letter of path) {
    const next = [...states].flatMap(at => {
      const token = tokens[at]
      if (token?.takes(letter) !== true) return []
      return token.isRun ? reach(at) : reach(at + 1)
    })
    states = new Set(next)
    if (states.size === 0) return false
  }
  return states.has(tokens.length)
}
