import { type FieldErrors, InputError, Type } from '#core'
import { languageTag } from '#plugins/posts'
import type { SearchFilter } from './filters.ts'
import type { FacetRow } from './repository/filters.ts'

/** A day, or a time in UTC. */
const timePattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?$'
const time = (description: string) =>
  Type.Optional(Type.String({ pattern: timePattern, maxLength: 24, description, examples: ['2026-11-01'] }))

const maxSlugLength = 100

/** What a search may be narrowed by. */
export const filterParameters = {
  category: Type.Optional(Type.String({ minLength: 1, maxLength: maxSlugLength, description: 'Slug of a category.' })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: maxSlugLength, description: 'Slug of a tag.' })),
  from: time('Published on this day or later, such as 2026-11-01; or a time in UTC.'),
  to: time('Published before this day, such as 2026-12-01; or a time in UTC.'),
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

/** The filter of a query; undefined for none. `faults` are what is known to be wrong with it. @throws InputError with all faults */
export function filterOf(query: FilterQuery, faults: FieldErrors = {}): SearchFilter | undefined {
  const { category, tag, from, to, language } = query
  const ownFaults = {
    ...slugFault('category', category),
    ...slugFault('tag', tag),
    ...dayFault('from', from),
    ...dayFault('to', to),
    ...(language == null || isLanguage.test(language)
      ? {}
      : { language: 'is no language: give a tag such as en or de-AT' })
  }
  const all = { ...ownFaults, ...faults }
  if (Object.keys(all).length > 0) throw new InputError(all)
  const filter: SearchFilter = {
    category: category ?? undefined,
    tag: tag ?? undefined,
    language: language ?? undefined,
    from: from == null ? undefined : new Date(from),
    to: to == null ? undefined : new Date(to)
  }
  return Object.values(filter).every(value => value === undefined) ? undefined : filter
}

/** GraphQL has no limit of its own. */
const slugFault = (name: 'category' | 'tag', given: string | null | undefined): FieldErrors =>
  given == null || (given !== '' && given.length <= maxSlugLength)
    ? {}
    : { [name]: `must have 1 to ${maxSlugLength} characters` }

const isLanguage = new RegExp(languageTag.pattern)
const isTime = new RegExp(timePattern)

function dayFault(name: 'from' | 'to', given: string | null | undefined): FieldErrors {
  if (given == null || (isTime.test(given) && isInCalendar(given))) return {}
  return { [name]: 'is no day, such as 2026-11-01, and no time in UTC, such as 2026-11-01T12:00Z' }
}

/** The 31st of a shorter month is read as a day of the next. */
function isInCalendar(given: string): boolean {
  const date = new Date(given)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === given.slice(0, 10)
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
