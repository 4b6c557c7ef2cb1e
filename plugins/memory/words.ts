const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing don down during each either else even ever every few for from further get gets got
  had has have having he her here hers him his how however i if in into is it its itself just let like ll many may me
  might more most much must my no nor not now of off on once one only or other our out over own per quite rather re s
  same shall she should since so some still such t than that the their them then there therefore these they this those
  though through thus to too two under until up upon us ve very via was we well were what when where whether which while
  who whom whose why will with within without would yet you your`.split(/\s+/)
)

// Frequent in any English text, and so little help in telling two apart.
const commonWords: ReadonlySet<string> = new Set(
  `able actually add added allow always another around ask away back become becomes begin begins best better big bring
  call called came case cause certain change changes come comes common complete different doing done early easy end
  enough example exist exists fact far find first follow following form found four full general give given gives go goes
  going good great hand happen happens hard help high hold holds hour hours however idea important instead itself keep
  keeps kept kind know known large larger last late later lead learn least leave left less life little live long longer
  look lot low made main make makes making mean means moment move near nearly need needed needs never new next normal
  normally nothing number often old part particular people person place point possible present problem put reach reached
  reason remain right run runs said second see seen set several short show shows side simple simply single small
  something sometimes soon start started state stay stays step stop sure take taken takes tell thing things think third
  three time times today together told took turn twice usually use used useful user uses using value wait want way ways
  week whole work works world would year years`.split(/\s+/)
)

const asciiOnly = /^[\x00-\x7f]*$/
const asciiWord = /[a-z0-9]+/g
// Scripts without blanks between words, and emoji: each character stands for itself.
const anyWord =
  /\p{Extended_Pictographic}|\p{RI}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu
const anySign = /[^\s\p{C}]/gu

/** The words of a text in lower case and without accents; of a text without any, its signs. */
export function wordsOf(text: string): string[] {
  if (asciiOnly.test(text)) {
    const lower = text.toLowerCase()
    return lower.match(asciiWord) ?? lower.match(anySign) ?? []
  }
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
  return folded.match(anyWord) ?? folded.match(anySign) ?? []
}

/** How much a word tells about a text: 1 for a word with a meaning of its own. */
export function wordWeight(word: string): number {
  if (stopWords.has(word)) return 0.08
  if (commonWords.has(word)) return 0.45
  return 1
}

export const isStopWord = (word: string): boolean => stopWords.has(word)

const endings = /(?:ations?|ements?|ments?|ings?|edly|ness|ers?|ed|ies|es|ly|s|e|y)$/

/** Cuts common English endings, so that `caches`, `cached` and `caching` count as one word. */
export function stem(word: string): string {
  if (word.length <= 3) return word
  // `page` as `pages`, `cats` as `cat`.
  if (word.length === 4) return /(?:[^s]s|e)$/.test(word) ? word.slice(0, 3) : word
  const cut = word.replace(endings, '')
  return cut.length >= 3 ? cut : word
}
