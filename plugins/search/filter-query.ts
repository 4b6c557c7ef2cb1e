import { InputError, Type } from '#core'
import { languageTag } from '#plugins/posts'
import type { SearchFilter } from './filters.ts'
import type { FacetRow } from './repository/filters.ts'

/** A day, or a time in UTC. */
const timePattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?$'
const time = (description: string) =>
  Type.Optional(Type.String({ pattern: timePattern, maxLength: 24, description, examples: ['2026-11-01'] }))

/** What a search may be narrowed by. */
export const filterParameters = {
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Slug of a category.' })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Slug of a tag.' })),
  from: time('Published on this day or later; or a time in UTC.'),
  to: time('Published before this day; or a time in UTC.'),
  language: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 35,
      description: 'BCP 47. Only posts in this language, and the query is read in it.',
      examples: ['de']
    })
  )
} as const

/** A filter as it is asked for. */
export interface FilterQuery {
  category?: string | null | undefined
  tag?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  language?: string | null | undefined
}

/** The filter of a query; undefined for none. @throws InputError for a day that is none, or a language that is none */
export function filterOf({ category, tag, from, to, language }: FilterQuery): SearchFilter | undefined {
  const filter: SearchFilter = {
    category: category ?? undefined,
    tag: tag ?? undefined,
    language: language ?? undefined,
    from: timeOf('from', from),
    to: timeOf('to', to)
  }
  if (filter.language !== undefined && !new RegExp(languageTag.pattern).test(filter.language))
    throw new InputError({ language: 'is no language: give a tag such as en or de-AT' })
  return Object.values(filter).every(value => value === undefined) ? undefined : filter
}

function timeOf(name: string, given: string | null | undefined): Date | undefined {
  if (given === undefined || given === null) return undefined
  const date = new RegExp(timePattern).test(given) ? new Date(given) : new Date(Number.NaN)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== given.slice(0, 10))
    throw new InputError({ [name]: 'is no day, such as 2026-11-01, and no time in UTC, such as 2026-11-01T12:00Z' })
  return date
}

const FacetValues = Type.Array(
  Type.Object({ value: Type.String({ examples: ['science'] }), count: Type.Integer({ examples: [12] }) })
)
export const Facets = Type.Optional(
  Type.Object(
    { category: FacetValues, tag: FacetValues, language: FacetValues, year: FacetValues },
    {
      description:
        'When asked for: how many of the posts found have each label, at most 20 of a kind; of more than 10,000 posts, of 10,000 of them.'
    }
  )
)

/** The counts of labels by their kind. */
export function toFacets(rows: readonly FacetRow[]) {
  const of = (kind: FacetRow['facet']) =>
    rows.filter(({ facet }) => facet === kind).map(({ value, count }) => ({ value, count }))
  return { category: of('category'), tag: of('tag'), language: of('language'), year: of('year') }
}
