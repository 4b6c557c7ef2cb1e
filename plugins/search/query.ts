/** Words or a phrase as typed. `isPhrase`: in quotes, so that it must be there word for word; `isPrefix`: ends with `*`. */
export interface Chunk {
  text: string
  isPhrase: boolean
  isPrefix: boolean
}

/** What is asked for: one of each of `wanted`, none of `unwanted`. */
export interface Query {
  wanted: Chunk[][]
  unwanted: Chunk[]
}

/** Characters. */
export const longestQuery = 500

/** What is wrong with a query that nothing is asked by, or too much; undefined for any other. */
export function queryFault(q: string): string | undefined {
  if (q.trim() === '') return 'must not be blank'
  const { length } = [...q]
  return length > longestQuery ? `must have at most ${longestQuery} characters; it has ${length}` : undefined
}

/** Each chunk costs a list of posts; nobody types as many. */
const mostChunks = 64

/** Longer words are none. */
const longestWord = 200

const token = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g

/** Reads `words "a phrase" -without begin* one or another`. Every text is a query; one that asks for nothing has no `wanted`. */
export function parseQuery(q: string): Query {
  const query: Query = { wanted: [], unwanted: [] }
  let isAlternative = false
  let chunks = 0
  for (const [, minus = '', phrase, word = ''] of readable(q).matchAll(token)) {
    if (chunks >= mostChunks) break
    if (minus === '' && (word === '|' || /^or$/i.test(word))) {
      isAlternative = query.wanted.length > 0
      continue
    }
    const chunk = toChunk(phrase, word)
    if (chunk === undefined) continue
    chunks += 1
    if (minus === '-') query.unwanted.push(chunk)
    else if (isAlternative) query.wanted.at(-1)?.push(chunk)
    else query.wanted.push([chunk])
    isAlternative = false
  }
  return query
}

function toChunk(phrase: string | undefined, word: string): Chunk | undefined {
  if (phrase !== undefined) return phrase.trim() === '' ? undefined : { text: phrase, isPhrase: true, isPrefix: false }
  const isPrefix = /[\p{L}\p{N}]\*+$/u.test(word)
  const text = word.slice(0, longestWord).toWellFormed()
  return /[^\s!-/:-@[-`{-~]/.test(text) ? { text, isPhrase: false, isPrefix } : undefined
}

/** Without what PostgreSQL takes for no text: NUL and other control characters, and halves of surrogate pairs. */
const readable = (q: string) => q.replace(/[\u0000-\u001f\u007f]/g, ' ').toWellFormed()
