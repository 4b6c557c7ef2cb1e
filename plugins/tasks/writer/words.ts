/** Words and their stems: what the embedded writer compares texts by. */

const stopWords = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but
  by can cannot could did do does doing done down during each either else ever every few for from further had has have
  having he her here hers him his how i if in into is it its itself just least less like many may me might more most much
  must my near neither no nor not of off often on once one only or other our out over own per quite rather same shall she
  should since so some still such than that the their them then there these they this those though through thus to too
  two under until up upon us very was we were what when where whether which while who whom whose why will with within
  without would yet you your`.split(/\s+/)
)

/** Words of topics that say little about the subject: they count, but a text is not chosen for them. */
const weakWords = new Set(
  `apart article basic basics beginner beginners best better common complete deep dive essential every everyone everything
  explain explained explaining explanation fact facts find first get give go good great guide help history idea ideas
  important improve inside introduction introducing keep keeps know learn learning level look make makes making matter
  matters mean means modern need needs new overview people practical practice primer reason reasons right run runs
  short simple start step steps story take thing things tip tips today together top tutorial understand understanding
  use used using useful way ways well work working works world write writing year years`.split(/\s+/)
)

/** Longest first; each leaves a stem of at least the given length. A light stemmer: it only has to bring forms together. */
const suffixes: readonly (readonly [suffix: string, minimumStem: number])[] = [
  ['ational', 4],
  ['ations', 4],
  ['ation', 4],
  ['ators', 4],
  ['ator', 4],
  ['ating', 4],
  ['ated', 4],
  ['ates', 4],
  ['ness', 4],
  ['ment', 4],
  ['ings', 3],
  ['ions', 4],
  ['ing', 3],
  ['ion', 4],
  ['ers', 4],
  ['ity', 4],
  ['ate', 4],
  ['ies', 3],
  ['ed', 3],
  ['er', 4],
  ['ly', 4],
  ['al', 3],
  ['es', 3],
  ['s', 3],
  ['e', 3],
  ['y', 3]
]

/** All words, lower-cased, in order. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*/gu) ?? []

/** How many words a reader would count. */
export const countWords = (text: string): number => text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length

/** Forms of one word get one stem: `writers`, `writes` and `writing` are `writ`. */
export function stem(word: string): string {
  const single = word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word
  const found = suffixes.find(
    ([suffix, minimum]) => single.endsWith(suffix) && single.length - suffix.length >= minimum
  )
  if (!found) return single
  const rest = single.slice(0, -found[0].length)
  return /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest
}

export const isStopWord = (word: string): boolean => stopWords.has(word)

export const isWeakWord = (word: string): boolean => weakWords.has(word)

/** The stems of the words that carry meaning, in order, with repeats. */
export const stemsOf = (text: string): string[] =>
  wordsOf(text)
    .filter(word => !stopWords.has(word))
    .map(stem)
