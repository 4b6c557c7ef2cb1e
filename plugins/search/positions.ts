/** A text, and where its words are: words can be found in it without looking through it. */
export interface IndexedText {
  readonly text: string
  /** A number for each word of three letters or more, in order: 15 bits of its first letters, 16 of its place. */
  readonly words: Uint32Array
}

/** A word looked for, as its stem stands in a folded text. `bit` tells words apart. */
export interface Sought {
  stem: string
  isUnspaced: boolean
  bit: number
}

/** Where a word stands in a text. */
export interface Place {
  from: number
  to: number
  word: Sought
}

/** Bits beyond these there are none: words past that share them. */
const mostBits = 31
/** Of each word. */
const mostPlaces = 100
/**
 * How much longer than its stem a word may be, whatever follows, where the stem is short enough to begin other words
 * (add|ress), and elsewhere; and by such as stems go without: organiz|ational.
 */
const shortStem = 3
const longestOfShort = 3
const longestEnding = 5
const longestEndings = 12
const endings =
  /^(?:at|it|ion|enc|anc|ies|al|iz|is|ic|iv|abil|ibil|ful|less|ous|e?ment|ness|ity|ities|able|ible|ing|ism|ist|ed|es|er|or|ly|s|e|i|y)+$/
/** Shorter words are not in the index. */
const keyLetters = 3
/** Places have 16 bits. */
const mostIndexed = 65_536

/** Terms are stems, as the index has them. */
export const soughtOf = (terms: readonly string[]): Sought[] =>
  [...new Set(terms)].flatMap((term, at) => {
    const bit = 1 << (at % mostBits)
    const pictograph = pictographOf(term)
    if (pictograph !== undefined) return [{ stem: pictograph, isUnspaced: true, bit }]
    return stemsOf(term).map(stem => ({ stem, isUnspaced: isUnspaced(term), bit }))
  })

/** What `search_text` made the term of; undefined for a word. */
function pictographOf(term: string): string | undefined {
  const [, number] = /^u([0-9a-f]{4,5})(?:u\1){2}$/.exec(term) ?? []
  return number === undefined ? undefined : String.fromCodePoint(Number.parseInt(number, 16))
}

export function indexText(text: string): IndexedText {
  const { text: lower, origins } = folded(text)
  const most = Math.min(lower.length, mostIndexed)
  const words = new Uint32Array(most >> 1)
  let count = 0
  let letters = 0
  let key = 0
  // Every post shown comes by here: a loop over its letters that looks at each once.
  for (let at = 0; at < most; at++) {
    if (!isPartOfWord(lower, at)) letters = 0
    else if (letters < keyLetters) {
      key = (letters === 0 ? 0 : key << 5) | (lower.charCodeAt(at) & 31)
      letters += 1
      if (letters === keyLetters) words[count++] = key * mostIndexed + originOf(origins, at - keyLetters + 1)
    }
  }
  return { text, words: words.slice(0, count).sort() }
}

/** 15 bits of the first three letters of a word; undefined for a shorter one. */
function keyOf(text: string, at: number): number | undefined {
  let key = 0
  for (let next = at; next < at + keyLetters; next++) {
    if (!isPartOfWord(text, next)) return undefined
    key = (key << 5) | (text.charCodeAt(next) & 31)
  }
  return key
}

/** Where the words stand. A word has a stem when it goes on from it by a few letters. */
export function placesOf(indexed: IndexedText, words: readonly Sought[]): Place[] {
  const places: Place[] = []
  for (const word of words) {
    const key = word.isUnspaced ? undefined : keyOf(word.stem, 0)
    const found = key === undefined ? lookThrough(indexed.text, word) : lookUp(indexed, word, key)
    places.push(...found.slice(0, mostPlaces))
  }
  places.sort((a, b) => a.from - b.from || b.to - a.to)
  return places.reduce<Place[]>(addPlace, [])
}

function lookUp({ text, words }: IndexedText, word: Sought, key: number): Place[] {
  const places: Place[] = []
  for (let at = firstWith(words, key); at < words.length; at++) {
    const entry = words[at] as number
    if (entry >= (key + 1) * mostIndexed) break
    const from = entry % mostIndexed
    const { text: part, origins } = folded(text.slice(from, from + word.stem.length + longestEndings + 1))
    const length = part.startsWith(word.stem) ? wordEnd(part, 0, word.stem) : undefined
    if (length !== undefined) places.push({ from, to: from + originOf(origins, length), word })
  }
  return places
}

/** The first of the words that has a key, or a higher one. */
function firstWith(words: Uint32Array, key: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] as number) < key * mostIndexed) low = middle + 1
    else high = middle
  }
  return low
}

/** For what is not in the index: short words, and scripts without blanks. */
function lookThrough(text: string, word: Sought): Place[] {
  const { stem, isUnspaced } = word
  const { text: lower, origins } = folded(text)
  const places: Place[] = []
  for (
    let from = lower.indexOf(stem);
    from !== -1 && places.length < mostPlaces;
    from = lower.indexOf(stem, from + 1)
  ) {
    const to = isUnspaced ? from + stem.length : wordEnd(lower, from, stem)
    if (to !== undefined) places.push({ from: originOf(origins, from), to: originOf(origins, to), word })
  }
  return places
}

const accented = /[\u00c0-\u024f\u0401\u0451\u1e00-\u1eff\uff10-\uff5a]/g
/** Letters that Unicode does not take apart, as `search_text` does. */
const plain = ['øØłŁđĐıёЁẞ', 'oOlLdDiеЕß'] as const
const plainLetters = Object.fromEntries([...plain[0]].map((letter, at) => [letter, plain[1][at]]))
const twoLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe' }

interface Folded {
  text: string
  /** Where each of its characters was, and its end; undefined when none has moved. */
  origins: number[] | undefined
}

/** The text as the index compares it. */
function folded(text: string): Folded {
  const bare = text.replace(accented, letter => plainLetters[letter] ?? letter.normalize('NFKD')[0] ?? letter)
  const lower = bare.toLowerCase()
  const whole = lower.length === text.length ? lower : bare
  return /[ßæœ]/.test(whole) ? spread(whole) : { text: whole, origins: undefined }
}

function spread(whole: string): Folded {
  const origins: number[] = []
  let text = ''
  for (let at = 0; at < whole.length; at++) {
    const letters = twoLetters[whole[at] as string] ?? (whole[at] as string)
    text += letters
    for (let each = 0; each < letters.length; each++) origins.push(at)
  }
  return { text, origins: [...origins, whole.length] }
}

const originOf = (origins: readonly number[] | undefined, at: number): number => origins?.[at] ?? at

/** Characters of a script without blanks that stand side by side are one place. */
function addPlace(places: Place[], place: Place): Place[] {
  const last = places.at(-1)
  if (last === undefined || place.from > last.to || (place.from === last.to && !place.word.isUnspaced))
    places.push(place)
  else if (place.from === last.to) last.to = place.to
  return places
}

/** How words with the term begin: `happi` is the stem of happy, too, `wade` that of wading, `possibl` that of possibility. */
function stemsOf(term: string): string[] {
  const bare = term.slice(0, -1)
  if (bare.length < 2) return [term]
  if (term.endsWith('i')) return [term, `${bare}y`]
  if (term.endsWith('e')) return [term, `${bare}ing`]
  return term.endsWith('bl') ? [term, `${bare}il`] : [term]
}

/** Where the word that begins with a stem ends; undefined when it begins before, or goes on too far to be the stem's. */
function wordEnd(text: string, from: number, stem: string): number | undefined {
  if (isPartOfWord(text, from - 1)) return undefined
  const end = from + stem.length
  const most = end + (stem.length < 3 ? 1 : longestEndings)
  let to = end
  while (to < most && isPartOfWord(text, to)) to++
  if (isPartOfWord(text, to)) return undefined
  const rest = text.slice(end, to)
  const longest = stem.length <= shortStem ? longestOfShort : longestEnding
  // Running: the last letter of `run` twice.
  const ending = rest[0] === stem.at(-1) ? rest.slice(1) : rest
  return rest.length <= longest || endings.test(ending) ? to : undefined
}

function isPartOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  return !Number.isNaN(code) && /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '')
}

/** A character of a script without blanks, which stands beside others. */
const isUnspaced = (term: string) =>
  /^(?:[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[\u{20000}-\u{3ffff}])$/u.test(
    term
  )
