import type { EngineAlternative, EngineFilter, EnginePhrase, EngineQuery } from '../driver.ts'
import type { Token } from '../query/analyzer.ts'
import {
  isPhraseOf,
  keyOfToken,
  type ReadClause,
  type ReadQuery,
  requiredTokensOf,
  requiresPhrase,
  weightsOfTokens
} from '../query/read-query.ts'
import { engineStopWord, engineTerm } from './document.ts'

/** The questions that an engine is asked for one query. */
export interface EngineQueries {
  /** Posts that have all that is asked for. */
  full: EngineQuery
  /** Posts that have some of it, and every phrase in quotes. */
  partial: EngineQuery
  /** Posts that have what is excluded; undefined when nothing is. */
  excluded: EngineQuery | undefined
  /** A phrase in quotes is asked for, be it one of several alternatives. */
  requiresPhrase: boolean
}

/** Undefined for a query that asks for no word. */
export function engineQueriesOf(query: ReadQuery, filter: EngineFilter, limit: number): EngineQueries | undefined {
  const groups = query.required.map(clauses => ({ clauses, alternatives: alternativesOf(clauses) }))
  const withWords = groups.filter(({ alternatives }) => alternatives.length > 0)
  if (withWords.length === 0) return undefined
  const content = withWords.filter(({ clauses }) => !clauses.some(mayBeStopWord))
  const asked = content.length === 0 ? withWords : content
  const excluded = alternativesOf(query.excluded)
  const common = { words: queryWords(requiredTokensOf(query)), excluded, filter, limit }
  const strict = asked.filter(({ clauses }) =>
    clauses.every(each => each.tokens.length === 0 || requiresPhrase(each.clause))
  )
  const mayRequire = asked.some(({ clauses }) => clauses.some(({ clause }) => requiresPhrase(clause)))
  // Beside a word, a phrase in quotes is found as it stands.
  const demanded =
    strict.length === 0 && mayRequire ? [{ alternatives: anyOf(asked.flatMap(each => each.clauses)) }] : strict
  return {
    full: { ...common, hasWord: false, required: asked.map(({ alternatives }) => alternatives) },
    partial: { ...common, hasWord: true, required: demanded.map(({ alternatives }) => alternatives) },
    excluded:
      excluded.length === 0
        ? undefined
        : { words: [], hasWord: false, required: [excluded], excluded: [], filter, limit },
    requiresPhrase: mayRequire
  }
}

/** One of the words, or one of the phrases whole. */
const anyOf = (clauses: readonly ReadClause[]): EngineAlternative[] =>
  clauses.flatMap(read => {
    const alternatives = alternativesOf([read])
    if (requiresPhrase(read.clause)) return alternatives
    return alternatives.flatMap(({ words }) => words.map(word => ({ words: [word], phrase: undefined })))
  })

/** A stop word of a language that posts have: an engine does not know which posts are in it, so none needs it. */
const mayBeStopWord = ({ tokens: [token, ...others] }: ReadClause): boolean =>
  token !== undefined && others.length === 0 && token.stopWordIn.length > 0

function queryWords(tokens: readonly Token[]): EngineQuery['words'] {
  const weights = weightsOfTokens(tokens)
  const different = new Map(tokens.map(token => [keyOfToken(token), token]))
  return [...different].map(([key, token]) => ({ terms: engineTerms(token), weight: weights.get(key) ?? 1 }))
}

const engineTerms = ({ terms }: Token): string[] => terms.map(engineTerm)

const alternativesOf = (clauses: readonly ReadClause[]): EngineAlternative[] =>
  clauses.flatMap(read => {
    const { tokens } = read
    const main = { words: tokens.map(engineTerms), phrase: isPhraseOf(read) ? phraseOf(read) : undefined }
    const substitutes = read.substitutes.map(each => ({ words: each.map(engineTerms), phrase: undefined }))
    return [...(tokens.length === 0 ? [] : [main]), ...substitutes]
  })

/** Each place with the terms of its word. A word that says nothing in one language may be a term in another. */
function phraseOf({ tokens, typed }: ReadClause): EnginePhrase {
  const byPosition = new Map(tokens.map(token => [token.position, token]))
  return typed.map(token => [
    ...new Set([...engineTerms(byPosition.get(token.position) ?? token), engineStopWord(token.word)])
  ])
}
