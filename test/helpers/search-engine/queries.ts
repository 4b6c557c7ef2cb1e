import type { StoredDocument, StoredIndex } from './stored-index.ts'

/** A query as it is sent. One that the stand-in does not know is refused, as the engine refuses what it does not know. */
export class ParsingError extends Error {}

type Query = Record<string, unknown>

/** What a query says of one document: undefined when it does not match, else its score. */
export type Scorer = (document: StoredDocument) => number | undefined

const isQuery = (value: unknown): value is Query => typeof value === 'object' && value !== null && !Array.isArray(value)

function only(query: unknown): [string, unknown] {
  const entries = isQuery(query) ? Object.entries(query) : []
  const [entry] = entries
  if (entry === undefined || entries.length > 1) throw new ParsingError('a query has one name')
  return entry
}

function options(value: unknown, known: readonly string[]): Query {
  if (!isQuery(value)) throw new ParsingError('an object is expected')
  const unknown = Object.keys(value).find(key => !known.includes(key))
  if (unknown !== undefined) throw new ParsingError(`unknown field [${unknown}]`)
  return value
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())

export function scorerOf(index: StoredIndex, query: unknown): Scorer {
  const [name, body] = only(query)
  const compile = compilers[name]
  if (compile === undefined) throw new ParsingError(`unknown query [${name}]`)
  return compile(index, body)
}

const compilers: Record<string, (index: StoredIndex, body: unknown) => Scorer> = {
  match_all: () => () => 1,
  bool: boolScorer,
  dis_max: (index, body) => {
    const { queries, boost = 1 } = options(body, ['queries', 'boost', 'tie_breaker'])
    const scorers = listOf(queries).map(query => scorerOf(index, query))
    return document => {
      const scores = scorers.flatMap(score => score(document) ?? [])
      return scores.length === 0 ? undefined : Math.max(...scores) * Number(boost)
    }
  },
  term: (index, body) => {
    const [field, given] = only(body)
    const { value, boost = 1 } = options(given, ['value', 'boost'])
    return termScorer(index, field, value, Number(boost))
  },
  terms: (index, body) => {
    const [field, values] = only(body)
    if (listOf(values).length > 65_536) throw new ParsingError('too many terms')
    const scorers = listOf(values).map(value => termScorer(index, field, value, 1))
    return document => (scorers.some(score => score(document) !== undefined) ? 1 : undefined)
  },
  exists: (_, body) => {
    const { field } = options(body, ['field'])
    return ({ source }) => ((source[String(field)] ?? null) === null ? undefined : 1)
  },
  range: (_, body) => {
    const [field, given] = only(body)
    const { gte, gt, lte, lt } = options(given, ['gte', 'gt', 'lte', 'lt'])
    return ({ source }) => {
      const value = Number(source[field])
      const passes =
        (gte === undefined || value >= Number(gte)) &&
        (gt === undefined || value > Number(gt)) &&
        (lte === undefined || value <= Number(lte)) &&
        (lt === undefined || value < Number(lt))
      return passes ? 1 : undefined
    }
  },
  prefix: (_, body) => {
    const [field, given] = only(body)
    const { value, boost = 1 } = options(given, ['value', 'boost'])
    return ({ source }) =>
      listOf(source[field]).some(each => String(each).startsWith(String(value))) ? Number(boost) : undefined
  },
  span_term: (_, body) => spanScorer({ span_term: body }),
  span_or: (_, body) => spanScorer({ span_or: body }),
  span_near: (_, body) => spanScorer({ span_near: body })
}

function boolScorer(index: StoredIndex, body: unknown): Scorer {
  const known = ['filter', 'must', 'must_not', 'should', 'minimum_should_match', 'boost']
  const { filter, must, must_not, should, minimum_should_match } = options(body, known)
  const all = (of: unknown) => listOf(of).map(query => scorerOf(index, query))
  const filters = all(filter)
  const musts = all(must)
  const nots = all(must_not)
  const shoulds = all(should)
  const usualMinimum = filters.length + musts.length === 0 && shoulds.length > 0 ? 1 : 0
  const minimum = minimum_should_match === undefined ? usualMinimum : Number(minimum_should_match)
  return document => {
    if (nots.some(score => score(document) !== undefined)) return undefined
    if (filters.some(score => score(document) === undefined)) return undefined
    const required = musts.map(score => score(document))
    const optional = shoulds.flatMap(score => score(document) ?? [])
    if (required.includes(undefined) || optional.length < minimum) return undefined
    return [...required, ...optional].reduce<number>((sum, score) => sum + (score ?? 0), 0)
  }
}

/** BM25 as Lucene has it: without the factor k1 + 1. */
function termScorer(index: StoredIndex, field: string, value: unknown, boost: number): Scorer {
  const mapping = index.mappings.properties[field]
  if (mapping === undefined) return () => undefined
  if (mapping.type !== 'text') return ({ source }) => (listOf(source[field]).includes(value) ? boost : undefined)
  const documents = [...index.visible.values()]
  const key = `${field} ${value}`
  const holding = documents.filter(({ positions }) => positions.has(key)).length
  const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const { k1, b } = similarityOf(index, mapping.similarity)
  return ({ positions, length }) => {
    const frequency = positions.get(key)?.length
    if (frequency === undefined) return undefined
    return (boost * rarity * frequency) / (frequency + k1 * (1 - b + (b * length) / meanLength))
  }
}

function similarityOf({ settings }: StoredIndex, name: unknown): { k1: number; b: number } {
  const { index } = settings
  const similarities = isQuery(index) ? index.similarity : undefined
  const own = isQuery(similarities) ? similarities[String(name)] : undefined
  return isQuery(own) ? { k1: Number(own.k1), b: Number(own.b) } : { k1: 1.2, b: 0.75 }
}

const spanScorer = (query: Query): Scorer => {
  const spans = spansOf(query)
  return document => (spans(document).length > 0 ? 1 : undefined)
}

/** Where a query of spans begins and ends in a document. */
type Spans = (document: StoredDocument) => { from: number; to: number }[]

function spansOf(query: unknown): Spans {
  const [name, body] = only(query)
  if (name === 'span_term') {
    const [field, given] = only(body)
    const { value } = options(given, ['value', 'boost'])
    return ({ positions }) => (positions.get(`${field} ${value}`) ?? []).map(from => ({ from, to: from + 1 }))
  }
  if (name === 'span_or') {
    const clauses = listOf(options(body, ['clauses']).clauses).map(spansOf)
    return document => clauses.flatMap(spans => spans(document))
  }
  if (name !== 'span_near') throw new ParsingError(`[${name}] is no span query`)
  const { clauses, slop, in_order } = options(body, ['clauses', 'slop', 'in_order'])
  if (slop !== 0 || in_order !== true) throw new ParsingError('the stand-in knows words side by side only')
  const readers = listOf(clauses).map(spansOf)
  return document => {
    const [first = () => [], ...others] = readers
    return others.reduce((found, next) => {
      const spans = next(document)
      return found.flatMap(({ from, to }) =>
        spans.filter(span => span.from === to).map(span => ({ from, to: span.to }))
      )
    }, first(document))
  }
}
