import { maxBits } from '../matching/hits.ts'
import { type IndexSnapshot, mergeLists, type PostingList } from '../matching/postings.ts'
import type { RankedTerm } from '../matching/ranking.ts'
import type { Phrase } from '../repository/phrases.ts'
import type { Analyzer, Token } from './analyzer.ts'
import type { Expansion } from './expansion.ts'
import type { Clause, ParsedQuery } from './query.ts'

/** One way to have what is asked for: words, by their bits in a ranking and by their lists, and a phrase to be verified. */
export interface Alternative {
  bits: number
  /** Undefined for a word that no post has. */
  lists: (PostingList | undefined)[]
  /** The index of its phrase among those of the plan. */
  phrase: number | undefined
  /** In quotes, or a word written without blanks: no post without it. */
  isStrict: boolean
}

/** A query with the posting lists it needs. */
export interface QueryPlan {
  terms: RankedTerm[]
  /** A post has one of each. */
  required: Alternative[][]
  excluded: Alternative[]
  /** Those that the alternatives name. */
  phrases: Phrase[]
  /** Terms to highlight in snippets. */
  highlighted: string[]
}

/** What a plan is made with. */
export interface Planning {
  analyzer: Analyzer
  expansion: Expansion
  index: IndexSnapshot
  languages: readonly string[]
}

/** Undefined for a query that asks for no word. */
export async function planOf(query: ParsedQuery, planning: Planning): Promise<QueryPlan | undefined> {
  const requiredClauses = query.required.flat()
  const clauses = [...requiredClauses, ...query.excluded]
  const texts = clauses.map(clause => clause.text)
  const analyzed = await planning.analyzer.analyze(texts, planning.languages)
  const tokens = await expandTokens(clauses, analyzed, requiredClauses.length, planning)
  const lists = await planning.index.lists(tokens.flat().flatMap(token => token.terms))
  const words = createWords(lists)
  const phrases: Phrase[] = []
  const alternativeOf = (clause: Clause, at: number): Alternative[] => {
    const found = (tokens[at] ?? []).map(words.of)
    if (found.length === 0) return []
    const bits = found.reduce((all, { bit }) => all | bit, 0)
    const hasStopWords = clause.isPhrase && (analyzed[at] ?? []).some(isStopWord)
    const isPhrase = found.length > 1 || hasStopWords
    const phrase = isPhrase ? addPhrase(phrases, { text: clause.text, hasStopWords }) : undefined
    return [{ bits, lists: found.map(({ list }) => list), phrase, isStrict: isStrict(clause) }]
  }
  let at = 0
  const required = query.required
    .map(choices => choices.flatMap(clause => alternativeOf(clause, at++)))
    .filter(choices => choices.length > 0)
  if (required.length === 0) return undefined
  // Words that are excluded count for nothing, but have their bits.
  const terms = words.ranked()
  const excluded = query.excluded.flatMap(clause => alternativeOf(clause, at++))
  const highlighted = tokens.slice(0, requiredClauses.length).flatMap(found => found.flatMap(token => token.terms))
  return { terms, required, excluded, phrases, highlighted }
}

/** The words of a plan, each with a bit of its own. */
function createWords(lists: ReadonlyMap<string, PostingList>) {
  const words = new Map<string, { bit: number; list: PostingList | undefined }>()
  return {
    of(token: Token) {
      const key = token.terms.join(' ')
      const ofTerms = token.terms.flatMap(term => lists.get(term) ?? [])
      const list = ofTerms.length === 0 ? undefined : mergeLists(ofTerms)
      const word = words.get(key) ?? { bit: words.size < maxBits ? 1 << words.size : 0, list }
      words.set(key, word)
      return word
    },
    ranked: (): RankedTerm[] =>
      [...words.values()].flatMap(({ bit, list }) => (list === undefined ? [] : [{ bit, list }]))
  }
}

/** The index of a phrase among those of the plan. */
function addPhrase(phrases: Phrase[], phrase: Phrase): number {
  const at = phrases.findIndex(({ text }) => text === phrase.text)
  return at === -1 ? phrases.push(phrase) - 1 : at
}

/** Scripts without blanks: a few characters are a word, many are a sentence. */
const unspacedWord = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2,4}$/

const isStrict = ({ isPhrase, text }: Clause) => isPhrase || unspacedWord.test(text)

const isStopWord = ({ terms }: Token) => terms.length === 0

/** The tokens of each clause without stop words: beginnings with what they begin, unknown words corrected. */
async function expandTokens(
  clauses: readonly Clause[],
  analyzed: readonly (readonly Token[])[],
  requiredCount: number,
  { expansion, index }: Planning
): Promise<Token[][]> {
  const contentTokens = analyzed.map(tokens => tokens.filter(token => !isStopWord(token)))
  const isPrefix = (at: number) => clauses[at]?.isPrefix === true
  // Also of a beginning that is a stop word: `can*` is candle, too.
  const prefixes = analyzed.flatMap((tokens, at) => (isPrefix(at) ? tokens.slice(-1) : []))
  // A phrase is meant as it stands, and what is excluded must not be guessed.
  const isLiteral = (at: number) => isPrefix(at) || clauses[at]?.isPhrase === true || at >= requiredCount
  const lists = await index.lists(analyzed.flat().flatMap(token => token.terms))
  const unknown = contentTokens
    .flatMap((tokens, at) => (isLiteral(at) ? [] : tokens))
    .filter(token => !token.terms.some(term => lists.has(term)))
  const replaced = new Map<Token, Token>()
  const replace = (tokens: readonly Token[], by: readonly Token[]) => {
    for (const [at, token] of tokens.entries()) replaced.set(token, by[at] ?? token)
  }
  if (prefixes.length > 0) replace(prefixes, await expansion.expand(prefixes))
  if (unknown.length > 0) replace(unknown, await expansion.correct(unknown, index))
  return contentTokens.map((tokens, at) => {
    const last = isPrefix(at) ? analyzed[at]?.at(-1) : undefined
    if (last === undefined) return isLiteral(at) ? tokens : tokens.map(token => replaced.get(token) ?? token)
    return [...tokens.filter(token => token !== last), replaced.get(last) ?? last]
  })
}
