import { foldWord } from './fold.ts'
import type { TextLanguage } from './languages.ts'
import { snowballStopWords } from './stop-word-lists.ts'

/** Words that only join others: titles that differ in them say the same. */
const joiningWords: ReadonlySet<string> = new Set(
  `a an and are as at be by can do does for from how in into is it its of on or that the their this to was what
  when where which who why will with you your`.split(/\s+/)
)

/** The other function words. They name no subject, yet may turn a title round: `not`, `without`, `two`. */
const otherStopWords: ReadonlySet<string> = new Set(
  `about above after again against all also am any because been before being below between both but could did doing
  don down during each either else even ever every few further get gets got had has have having he her here hers
  him his however i if itself just let like ll many may me might more most much must my no nor not now off once
  one only other our out over own per quite rather re s same shall she should since so some still such t than them
  then there therefore these they those though through thus too two under until up upon us ve very via we well
  were whether while whom whose within without would yet`.split(/\s+/)
)

/** Content words so frequent in any English text that they help little in telling two apart. */
const commonWords: ReadonlySet<string> = new Set(
  `able actually add added allow always another around ask away back become becomes begin begins best better big
  bring call called came case cause certain change changes come comes common complete different done early easy
  end enough example exist exists fact far find first follow following form found four full general give given
  gives go goes going good great hand happen happens hard help high hold holds hour hours idea important instead
  keep keeps kept kind know known large larger last late later lead learn least leave left less life little live
  long longer look lot low made main make makes making mean means moment move near nearly need needed needs never
  new next normal normally nothing number often old part particular people person place point possible present
  problem put reach reached reason remain right run runs said second see seen set several short show shows side
  simple simply single small something sometimes soon start started state stay stays step stop sure take taken
  takes tell thing things think third three time times today together told took turn twice use used useful user
  uses using usually value wait want way ways week whole work works world year years`.split(/\s+/)
)

export const isJoiningWord = (word: string): boolean => joiningWords.has(word)

/** English function words, in lower case, for a text whose language nobody states. The vectors of the embedded embedder depend on it. */
export const isStopWord = (word: string): boolean => joiningWords.has(word) || otherStopWords.has(word)

export const isCommonWord = (word: string): boolean => commonWords.has(word)

/** Those of a stated language, as `foldWord` folds them; none where there is no list. */
export const stopWordsOf = (language: Exclude<TextLanguage, 'simple'>): ReadonlySet<string> =>
  new Set((snowballStopWords[language] ?? '').split(/\s+/).map(foldWord))
