/** A post as suggestions know it: its words, not its title, which is read when it is suggested. */
export interface TitleEntry {
  post_no: number
  /** Seconds since 2000. Newer ones are suggested first. */
  published: number
  /** Counts the changes of its text. */
  textVersion: number
  /** Of the title, in its order, in lower case and without accents. */
  words: readonly string[]
}

/** The words of titles, by their beginnings. */
export interface TitleWords {
  /** Replaces what is known of these posts, but by something older. */
  set(entries: readonly TitleEntry[]): void
  remove(post_no: number): void
  /** Undefined for a post that is not among them. */
  versionOf(post_no: number): Pick<TitleEntry, 'published' | 'textVersion'> | undefined
  /**
   * Posts whose titles have all the words, the last of them as a beginning: first those that begin with the first word, each group
   * newest first. Of several words only the 5,000 newest titles with the rarest of them are looked at.
   */
  find(words: readonly string[], limit: number): number[]
  /**
   * Words that begin with this one, without it, those of most titles first. Looks at 5,000 words at most. After a hyphen: those that
   * titles have joined to the word before it, as `mail` to `e`.
   */
  complete(beginning: string, limit: number, joinedTo?: string): string[]
  readonly size: number
}

interface Word {
  readonly text: string
  /** Newest first, as they are read. */
  readonly titles: Title[]
}
interface Title extends Omit<TitleEntry, 'words'> {
  readonly words: readonly Word[]
}

const maxLooks = 5000

export function createTitleWords(): TitleWords {
  const titles = new Map<number, Title>()
  const words = new Map<string, Word>()
  let sorted: Word[] = []
  let fresh: Word[] = []

  const wordOf = (text: string): Word => {
    const known = words.get(text)
    if (known !== undefined) return known
    const word = { text, titles: [] }
    words.set(text, word)
    fresh.push(word)
    return word
  }
  const remove = (title: Title) => {
    titles.delete(title.post_no)
    for (const word of new Set(title.words)) word.titles.splice(word.titles.indexOf(title), 1)
  }
  const add = ({ words: texts, ...entry }: TitleEntry) => {
    const title = { ...entry, words: texts.map(wordOf) }
    titles.set(entry.post_no, title)
    for (const word of new Set(title.words)) insertSorted(word.titles, title, other => isOlder(other, title))
  }
  const sortWords = () => {
    const inOrder = fresh.sort((a, b) => (a.text < b.text ? -1 : 1))
    if (inOrder.length > 0) sorted = mergeSorted(sorted, inOrder)
    fresh = []
  }
  return {
    set(entries) {
      for (const entry of entries) {
        const known = titles.get(entry.post_no)
        if (known !== undefined && known.textVersion > entry.textVersion) continue
        if (known !== undefined) remove(known)
        add(entry)
      }
      sortWords()
    },
    remove(post_no) {
      const known = titles.get(post_no)
      if (known !== undefined) remove(known)
    },
    versionOf: post_no => titles.get(post_no),
    find(asked, limit) {
      const last = asked.at(-1)
      if (last === undefined) return []
      const best = createBest(asked[0] ?? '', limit)
      const whole = asked.slice(0, -1).map(text => words.get(text))
      if (whole.length === 0) for (const { titles: having } of wordsFrom(sorted, last)) best.addNewestFirst(having)
      else best.addNewestFirst(rarestOf(whole).filter(title => hasAll(title, whole, last)))
      return best.titles().map(({ post_no }) => post_no)
    },
    complete: (beginning, limit, joinedTo = '') =>
      commonest(secondsOf(wordsFrom(sorted, joinedTo + beginning), joinedTo, words), beginning, limit),
    get size() {
      return titles.size
    }
  }
}

/** What joined forms have after the first of their words, where it is a word itself: `mail` of `email`, nothing of `emanate`. */
function* secondsOf(joined: Iterable<Word>, first: string, words: ReadonlyMap<string, Word>): Generator<Word> {
  for (const { text, titles } of joined) {
    const second = text.slice(first.length)
    if (first === '' || (words.get(second)?.titles.length ?? 0) > 0) yield { text: second, titles }
  }
}

/** The words of most titles, but this one. */
function commonest(words: Iterable<Word>, beginning: string, limit: number): string[] {
  const best: Word[] = []
  for (const word of words) {
    const minTitles = best.length < limit ? 0 : (best.at(-1)?.titles.length ?? 0)
    if (word.text === beginning || word.titles.length <= minTitles) continue
    insertSorted(best, word, other => other.titles.length < word.titles.length)
    if (best.length > limit) best.pop()
  }
  return best.map(({ text }) => text)
}

const hasAll = (title: Title, whole: readonly (Word | undefined)[], last: string) =>
  whole.every(word => word !== undefined && title.words.includes(word)) &&
  title.words.some(word => word.text.startsWith(last))

/** The best of titles that are added: those that begin with a word and, after them, the others. */
function createBest(first: string, limit: number) {
  const beginning: Title[] = []
  const others: Title[] = []
  const oldestOf = (list: readonly Title[]) => (list.length < limit ? undefined : list.at(-1))
  return {
    /** Ends where all that follow are too old. */
    addNewestFirst(titles: readonly Title[]): void {
      for (const title of titles) {
        const list = title.words[0]?.text.startsWith(first) === true ? beginning : others
        const oldest = oldestOf(list)
        if (oldest !== undefined && !isOlder(oldest, title)) {
          if (oldestOf(list === beginning ? others : beginning) !== undefined) return
          continue
        }
        if (list.includes(title)) continue
        insertSorted(list, title, other => isOlder(other, title))
        if (list.length > limit) list.pop()
      }
    },
    titles: () => [...beginning, ...others].slice(0, limit)
  }
}

/** Of the word that the fewest titles have. */
function rarestOf(words: readonly (Word | undefined)[]): readonly Title[] {
  const lists = words.map(word => word?.titles ?? [])
  const [rarest = []] = lists.sort((a, b) => a.length - b.length)
  return rarest.slice(0, maxLooks)
}

function* wordsFrom(sorted: readonly Word[], beginning: string): Generator<Word> {
  const from = firstFrom(sorted, beginning)
  for (let at = from; at < Math.min(sorted.length, from + maxLooks); at += 1) {
    const word = sorted[at]
    if (word?.text.startsWith(beginning) !== true) return
    yield word
  }
}

function mergeSorted(one: readonly Word[], two: readonly Word[]): Word[] {
  const merged: Word[] = []
  let at = 0
  for (const word of two) {
    for (let next = one[at]; next !== undefined && next.text < word.text; next = one[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(word)
  }
  return merged.concat(one.slice(at))
}

/** The index of the first word at or after a text. */
const firstFrom = (sorted: readonly Word[], text: string) => indexOfFirst(sorted, word => word.text >= text)

const isOlder = (one: Title, other: Title) =>
  one.published < other.published || (one.published === other.published && one.post_no < other.post_no)

/** Before the first that comes after it. */
const insertSorted = <Item>(items: Item[], item: Item, isAfter: (other: Item) => boolean) =>
  void items.splice(indexOfFirst(items, isAfter), 0, item)

/** Of a list whose first items are not meant, and all after them. */
function indexOfFirst<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item === undefined || isMeant(item)) high = middle
    else low = middle + 1
  }
  return low
}
