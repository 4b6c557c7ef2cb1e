import {
  connectionOf,
  createLoader,
  type GraphqlContext,
  type GraphqlPart,
  type PageRequest,
  pageQueryOf,
  pageRequest,
  toPage
} from '#core'
import { postFields } from './graphql-fields.ts'
import { schema } from './graphql-schema.ts'
import type { Post } from './index.ts'
import type { Parts } from './parts.ts'
import { type CategoryRow, listCategories, listTags, type TagRow } from './repository/catalogue.ts'
import { type ListedRow, listPublic, type PublicFilter } from './repository/lists.ts'
import { findMovedTo } from './repository/reads.ts'
import { postOf, summaryOf } from './representation.ts'
import { cursorOf, postPage } from './routes/app.ts'

interface Paged {
  first: number
  after?: string | null
}

/** The public posts in GraphQL: what the REST routes read, by the same functions. */
export function postsGraphql(parts: Parts): GraphqlPart {
  const { db } = parts
  const read: Reads = {
    posts: shared(([filter, page, isAdmin]) => listPublic(db, filter, page, isAdmin)),
    categories: shared(page => listCategories(db, page)),
    tags: shared(page => listTags(db, page))
  }
  const resolvers = {
    Query: {
      posts: (_: undefined, args: Paged & Filter, context: GraphqlContext) => listPosts(parts, read, args, context),
      post: (_: undefined, { slug }: { slug: string }, context: GraphqlContext) => findPost(parts, slug, context),
      categories: (_: undefined, args: Paged) => listLabels('categories', read.categories, args),
      tags: (_: undefined, args: Paged) => listLabels('tags', read.tags, args)
    },
    ...postFields(db)
  }
  return { schema, resolvers }
}

type Read<Asked, Row> = (asked: Asked) => Promise<readonly Row[]>
interface Reads {
  readonly posts: Read<[filter: PublicFilter, page: PageRequest, isAdmin: boolean], ListedRow>
  readonly categories: Read<PageRequest, CategoryRow>
  readonly tags: Read<PageRequest, TagRow>
}

/** Readers who ask for the same page while statements are under way share the next one. */
function shared<Asked, Row>(read: (asked: Asked) => Promise<Row[]>): Read<Asked, Row> {
  const loader = createLoader<{ key: string; rows: readonly Row[] }>({
    keyOf: ({ key }) => key,
    atOnce: 4,
    maxKeys: 4,
    read: keys => Promise.all(keys.map(async key => ({ key, rows: await read(JSON.parse(key) as Asked) })))
  })
  return async asked => (await loader.load(JSON.stringify(asked)))?.rows ?? []
}

interface Filter {
  category?: string | null
  tag?: string | null
}

async function listPosts({ totals, links }: Parts, read: Reads, args: Paged & Filter, { principal }: GraphqlContext) {
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
  { db, bySlug, links }: Parts,
  slug: string,
  { principal }: GraphqlContext
): Promise<Post | null> {
  const loader = principal === null ? bySlug.reader : bySlug.admin
  const found = await loader.load(slug)
  if (found !== undefined) return postOf(found, links)
  const moved = await findMovedTo(db, slug)
  const present = moved === undefined ? undefined : await loader.load(moved)
  return present === undefined ? null : postOf(present, links)
}

async function listLabels<Row>(
  name: 'categories' | 'tags',
  read: Read<PageRequest, Row>,
  args: Paged
): Promise<readonly Row[]> {
  const rows = await read(pageRequest(pageQueryOf(args), ['text'], [name]))
  // Without the row that only tells that there are more.
  return rows.slice(0, args.first)
}
