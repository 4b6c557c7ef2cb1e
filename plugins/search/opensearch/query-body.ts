import type { EngineAlternative, EngineFilter, EnginePhrase, EngineQuery, EngineSuggestQuery } from '../driver.ts'

type Clause = Readonly<Record<string, object>>

/** Lucene's BM25 lacks the factor k1 + 1. */
const scoreFactor = 2.6

/** Each hit is its score and its number alone. */
export const searchBody = (query: EngineQuery) => ({
  size: query.limit,
  track_total_hits: query.limit,
  stored_fields: '_none_',
  sort: [{ _score: 'desc' }, { post_no: 'desc' }],
  query: queryBody(query)
})

/** Counts the documents of each term. */
export const countBody = (terms: readonly string[]) => ({
  size: 0,
  track_total_hits: false,
  query: { terms: { text: terms } },
  aggs: { terms: { filters: { filters: terms.map(value => ({ term: { text: { value } } })) } } }
})

/** Posts whose titles have the words. */
export const titlesBody = ({ words, limit, until }: EngineSuggestQuery) => ({
  size: limit,
  track_total_hits: false,
  stored_fields: '_none_',
  sort: [{ _score: 'desc' }, { published: 'desc' }, { post_no: 'desc' }],
  query: {
    bool: {
      filter: [
        { range: { published: { lte: until } } },
        ...words.slice(0, -1).map(value => ({ term: { title_words: { value } } })),
        { prefix: { title_words: { value: words.at(-1) ?? '' } } }
      ],
      should: [{ prefix: { first_word: { value: words[0] ?? '' } } }],
      minimum_should_match: 0
    }
  }
})

/** What the last word may become. */
export const completionsBody = ({ words, limit, until }: EngineSuggestQuery) => {
  const beginning = words.at(-1) ?? ''
  return {
    size: 0,
    track_total_hits: false,
    query: {
      bool: {
        filter: [{ range: { published: { lte: until } } }, { prefix: { title_words: { value: beginning } } }]
      }
    },
    aggs: { words: { terms: { field: 'title_words', include: `${escaped(beginning)}.+`, size: limit } } }
  }
}

/** For the engine's regular expressions: a sign that means something stands for itself. */
const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, sign => `\\${sign}`)

/** A page of all documents with their versions. */
export const listBody = (after: number, limit: number) => ({
  size: limit,
  track_total_hits: false,
  version: true,
  _source: false,
  sort: [{ post_no: 'asc' }],
  search_after: [after],
  query: { match_all: {} }
})

/** What finds and orders posts: filters choose, words score. */
function queryBody({ words, hasWord, required, excluded, filter }: EngineQuery): Clause {
  return {
    bool: {
      filter: [...filterClauses(filter), ...required.map(group => anyOf(group.map(alternativeClause)))],
      must_not: excluded.map(alternativeClause),
      should: words.map(({ terms, weight }) => wordClause(terms, weight * scoreFactor)),
      minimum_should_match: hasWord ? 1 : 0
    }
  }
}

/** A word counts by that of its terms which scores most. */
function wordClause(terms: readonly string[], boost: number): Clause {
  const queries = terms.map(value => ({ term: { text: { value } } }))
  return { dis_max: { queries, boost } }
}

function alternativeClause({ words, phrase }: EngineAlternative): Clause {
  if (phrase !== undefined) return phraseClause(phrase)
  const clauses = words.map(terms => ({ terms: { text: terms } }))
  const [only] = clauses
  return clauses.length === 1 && only !== undefined ? only : { bool: { filter: clauses } }
}

/** Terms of one field side by side. */
function phraseClause(phrase: EnginePhrase): Clause {
  const clauses = phrase.map(placeClause)
  const [only] = clauses
  return clauses.length === 1 && only !== undefined ? only : { span_near: { clauses, slop: 0, in_order: true } }
}

function placeClause(terms: readonly string[]): Clause {
  const clauses = terms.map(value => ({ span_term: { text: { value } } }))
  const [only] = clauses
  return clauses.length === 1 && only !== undefined ? only : { span_or: { clauses } }
}

function anyOf(clauses: readonly Clause[]): Clause {
  const [only] = clauses
  return clauses.length === 1 && only !== undefined ? only : { bool: { should: clauses, minimum_should_match: 1 } }
}

function filterClauses({ category, tag, language, from, before, until }: EngineFilter): Clause[] {
  const published = {
    lte: until,
    ...(from === undefined ? {} : { gte: from }),
    ...(before === undefined ? {} : { lt: before })
  }
  return [
    { range: { published } },
    ...(category === undefined ? [] : [{ term: { category: { value: category } } }]),
    ...(tag === undefined ? [] : [{ term: { tags: { value: tag } } }]),
    ...(language === undefined ? [] : [languageClause(language)])
  ]
}

function languageClause({ tag, isOfSite }: NonNullable<EngineFilter['language']>): Clause {
  const ofPost = { term: { language: { value: tag } } }
  return isOfSite ? anyOf([ofPost, { bool: { must_not: [{ exists: { field: 'language' } }] } }]) : ofPost
}
