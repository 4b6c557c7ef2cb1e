import type { GraphqlContext, GraphqlModule } from '#core'
import { type ConnectionArguments, connectionOf, type PageRequest, pageQueryOf, pageRequest, toPage } from '#lists'
import type { PostComponents } from './components.ts'
import { postFields } from './graphql/fields.ts'
import { schema } from './graphql/schema.ts'
import { type PageRead, sharedPage } from './graphql/shared-reads.ts'
import type { Post } from './index.ts'
import { cursorOf, postPage } from './reads/pages.ts'
import { postOf, summaryOf } from './reads/representation.ts'
import { type CategoryRow, listCategories, listTags, type TagRow } from './repository/catalogue.ts'
import { findCurrentSlug } from './repository/ids.ts'
import { type ListedRow, listPublic, type PublicFilter } from './repository/lists.ts'

/** The public posts in GraphQL: what the REST routes read, by the same functions. */
export function postsGraphql(components: PostComponents): GraphqlModule {
  const { db, links } = components
  const read: Reads = {
    posts: sharedPage(([filter, page, isBearer]) => listPublic(db, filter, page, isBearer)),
    categories: sharedPage(page => listCategories(db, page)),
    tags: sharedPage(page => listTags(db, page))
  }
  const resolvers = {
    Query: {
      posts: (_: undefined, args: ConnectionArguments & Filter, context: GraphqlContext) =>
        listPosts(components, read, args, context),
      post: (_: undefined, { slug }: { slug: string }, context: GraphqlContext) => findPost(components, slug, context),
      categories: (_: undefined, args: ConnectionArguments) => listLabels('categories', read.categories, args),
      tags: (_: undefined, args: ConnectionArguments) => listLabels('tags', read.tags, args)
    },
    ...postFields(db, links)
  }
  return { schema, resolvers }
}

interface Reads {
  readonly posts: PageRead<[filter: PublicFilter, page: PageRequest, isBearer: boolean], ListedRow>
  readonly categories: PageRead<PageRequest, CategoryRow>
  readonly tags: PageRead<PageRequest, TagRow>
}

interface Filter {
  category?: string | null
  tag?: string | null
}

async function listPosts(
  { totals, links }: PostComponents,
  read: Reads,
  args: ConnectionArguments & Filter,
  { principal }: GraphqlContext
) {
  const filter = { category: args.category ?? undefined, tag: args.tag ?? undefined }
  const page = postPage(pageQueryOf(args), ['posts', 'published', filter.category, filter.tag])
  const rows = [...(await read.posts([filter, page, principal !== null]))]
  const found = toPage(rows, page, 0, cursorOf)
  const cursors = rows.map(cursorOf)
  const items = found.items.map(row => summaryOf(row, links))
  return {
    ...connectionOf({ ...found, items }, page, (_, index) => cursors[index] ?? []),
    total_count: () => totals.ofPublic(filter)
  }
}

/** The post; by a slug it had, the post as it is now. */
async function findPost(
  { db, bySlug, links }: PostComponents,
  slug: string,
  { principal }: GraphqlContext
): Promise<Post | null> {
  const loader = principal === null ? bySlug.anonymous : bySlug.bearer
  const found = await loader.load(slug)
  if (found !== undefined) return postOf(found, links)
  const moved = await findCurrentSlug(db, slug)
  const present = moved === undefined ? undefined : await loader.load(moved)
  return present === undefined ? null : postOf(present, links)
}

async function listLabels<Row>(
  name: 'categories' | 'tags',
  read: PageRead<PageRequest, Row>,
  args: ConnectionArguments
): Promise<readonly Row[]> {
  const rows = await read(pageRequest(pageQueryOf(args), ['text'], [name]))
  // Without the row that only tells that there are more.
  return rows.slice(0, args.first)
}
