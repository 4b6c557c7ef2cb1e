import type { GraphqlModule } from '#core'
import { type ConnectionArguments, pageQueryOf } from '#lists'
import type { SearchComponents } from './components.ts'
import { type FilterQuery, filterOf, toFacets } from './filter-query.ts'
import { rankingCursor, rankingWindow, searchIdentity } from './ranking-page.ts'
import { defaultRelated } from './schemas.ts'
import { parseSearchResult } from './search.ts'

const schema = `
type SearchEdge {
  node: Post!
  cursor: String!
  "Orders the matches; not a probability."
  score: Float!
  "HTML: escaped text with the words found in <mark>."
  snippet: String!
}
"A word that no public post has, and one that was searched for instead, of up to three. In lower case, Latin letters without accents."
type Correction {
  from: String!
  to: String!
}
type FacetCount {
  value: String!
  count: Int!
}
"How many of the posts found have each label, at most 20 of a kind; of more than 10,000 posts, of 10,000 of them."
type Facets {
  category: [FacetCount!]!
  tag: [FacetCount!]!
  language: [FacetCount!]!
  year: [FacetCount!]!
}
type SearchConnection {
  edges: [SearchEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
  "True when more posts may be found than totalCount, which says how many of them pages show: more words begin as asked for than are looked for, or a search engine finds more than 10,000 posts."
  totalIsMinimum: Boolean!
  corrected: [Correction!]!
  "Null unless facets: true asked for them."
  facets: Facets
  "True when no embedder answered, so that only words count, when the time a query may take was up, when a part of the index is missing or posts wait for it, when the search engine does not answer or is behind, or when more words begin as an excluded beginning than are excluded, which is 1,000: what could be found."
  degraded: Boolean!
}
type RelatedPost {
  node: Post!
  "Orders the posts; not a probability."
  score: Float!
}
type RelatedPosts {
  items: [RelatedPost!]!
  "True when no embedder answered, or when a part of the index is missing or the search engine does not answer: what could be found."
  degraded: Boolean!
}
extend type Query {
  "Public posts by words and by meaning, best first."
  search(
    q: String!
    first: Int! = 20
    after: String
    "Slug of a category."
    category: String
    "Slug of a tag."
    tag: String
    "Published on this day or later, such as 2026-11-01; or a time in UTC."
    from: String
    "Published before this day, such as 2026-12-01; or a time in UTC."
    to: String
    "BCP 47. Only posts in this language, and the query is read in it."
    language: String
    "Count the labels of what is found."
    facets: Boolean! = false
  ): SearchConnection! @public @cost(weight: 1000) @rateLimited
  "Public posts like the one with this slug, best first, at most 100; null when there is no such post."
  related(slug: String!, limit: Int! = ${defaultRelated}): RelatedPosts @public @cost(weight: 1000) @rateLimited
}`

/** Search in GraphQL: what the REST routes read, by the same functions. */
export const searchGraphql = (components: SearchComponents): GraphqlModule => ({
  schema,
  resolvers: {
    Query: {
      search: (_: undefined, args: SearchArguments) => searchPosts(components, args),
      related: (_: undefined, args: { slug: string; limit: number }) => listRelated(components, args)
    }
  }
})

type SearchArguments = ConnectionArguments & FilterQuery & { q: string; facets: boolean }

async function searchPosts({ search }: SearchComponents, { q, facets: countsFacets, ...args }: SearchArguments) {
  const filter = filterOf(args)
  const ranking = searchIdentity(q, filter)
  const window = rankingWindow(pageQueryOf(args), ranking)
  const found = await search.find(q, window, { filter, countsFacets })
  const { items, total, from, post_nos, isDegraded, corrected, facets, hasMore } = found
  const cursorAt = (index: number) =>
    rankingCursor(ranking, from + index + 1, [...(window.after ?? []), ...post_nos.slice(0, index + 1)])
  return {
    edges: items.map((item, index) => {
      const { score, snippet, ...node } = parseSearchResult(item)
      return { node, score, snippet, cursor: cursorAt(index) }
    }),
    page_info: {
      has_next_page: from + items.length < total,
      end_cursor: items.length === 0 ? null : cursorAt(items.length - 1)
    },
    total_count: total,
    total_is_minimum: hasMore,
    corrected,
    facets: facets === undefined ? null : toFacets(facets),
    degraded: isDegraded
  }
}

async function listRelated(
  { db, published, related }: SearchComponents,
  { slug, limit }: { slug: string; limit: number }
) {
  const to = (present: string) => related.to(present, { limit, offset: 0 })
  const moved = async () => {
    const present = await published.findCurrentSlug(db, slug)
    return present === undefined ? undefined : to(present)
  }
  const found = (await to(slug)) ?? (await moved())
  if (found === undefined) return null
  return { items: found.items.map(({ score, ...node }) => ({ node, score })), degraded: found.isDegraded }
}
