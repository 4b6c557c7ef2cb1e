/** Words or a phrase as typed. `isPhrase`: in quotes, so that it must be there word for word, but in a long question; `isPrefix`: ends with `*`. */
export interface Clause {
  text: string
  isPhrase: boolean
  isPrefix: boolean
}

/** What is asked for: one of each of `required`, none of `excluded`. */
export interface ParsedQuery {
  required: Clause[][]
  excluded: Clause[]
}

/** Characters. */
export const maxQueryLength = 500

/** What is wrong with a query that nothing is asked by, or too much; undefined for any other. */
export function queryFault(q: string): string | undefined {
  if (q.trim() === '') return 'must not be blank'
  const { length } = [...q]
  return length > maxQueryLength ? `must have at most ${maxQueryLength} characters; it has ${length}` : undefined
}

/** Each clause costs a posting list. 500 characters of a language are fewer words: none of a question is left out. */
const maxClauses = 128

/** Longer words are none. */
const maxWordLength = 200

const clausePattern = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g

/** So many words beside a phrase make a question: its quotes are a manner of writing, and demand nothing. */
const questionWords = 5

/** Reads `words "a phrase" -without begin* one or another`. Every text is a query; one that asks for nothing has no `required`. */
export function parseQuery(q: string): ParsedQuery {
  const query: ParsedQuery = { required: [], excluded: [] }
  let isAlternative = false
  let clauses = 0
  for (const [, minus = '', phrase, word = ''] of withoutControls(q).matchAll(clausePattern)) {
    if (clauses >= maxClauses) break
    if (minus === '' && (word === '|' || /^or$/i.test(word))) {
      isAlternative = query.required.length > 0
      continue
    }
    const clause = toClause(phrase, word)
    if (clause === undefined) continue
    clauses += 1
    if (minus === '-') query.excluded.push(clause)
    else if (isAlternative) query.required.at(-1)?.push(clause)
    else query.required.push([clause])
    isAlternative = false
  }
  return isQuestion(query) ? { ...query, required: query.required.flatMap(wordsOfPhrase) } : query
}

const isQuestion = ({ required }: ParsedQuery): boolean =>
  required.filter(([first, ...others]) => others.length === 0 && first?.isPhrase === false).length >= questionWords

/** The words of a phrase, each for itself; a choice stays what it is. */
function wordsOfPhrase(alternatives: Clause[]): Clause[][] {
  const [only, ...others] = alternatives
  if (only === undefined || others.length > 0 || !only.isPhrase) return [alternatives]
  return only.text.split(/\s+/).flatMap(word => {
    const clause = toClause(undefined, word)
    return clause === undefined ? [] : [[clause]]
  })
}

function toClause(phrase: string | undefined, word: string): Clause | undefined {
  if (phrase !== undefined) return phrase.trim() === '' ? undefined : { text: phrase, isPhrase: true, isPrefix: false }
  const isPrefix = /[\p{L}\p{N}]\*+$/u.test(word)
  const text = word.slice(0, maxWordLength).toWellFormed()
  return /[^\s!-/:-@[-`{-~]/.test(text) ? { text, isPhrase: false, isPrefix } : undefined
}

/** Without what PostgreSQL takes for no text: NUL and other control characters, and halves of surrogate pairs. */
const withoutControls = (q: string) => q.replace(/[\u0000-\u001f\u007f]/g, ' ').toWellFormed()
