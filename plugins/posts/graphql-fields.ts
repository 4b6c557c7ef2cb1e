import { type BatchRead, createLoader, type Db, encodeCursor, type GraphqlContext, type GraphqlPart } from '#core'
import type { Post, PostSummary } from './index.ts'
import { countByCategory, countByTag, listCategoriesBySlug, listTagSlugs } from './repository/labels.ts'
import { listTexts } from './repository/reads.ts'

/** A post of a list has no text, one by its slug has. */
type Node = PostSummary & Partial<Pick<Post, 'content' | 'content_html'>>
interface Label {
  slug: string
  name: string
  /** Known where labels are listed. */
  post_count?: number
}

/** Fields that need a statement of their own: one for all the posts of a query. */
export function postFields(db: Db): NonNullable<GraphqlPart['resolvers']> {
  const texts = together(async ids => byKey(await listTexts(db, ids), 'post_id'), 4)
  const categories = together(async slugs => byKey(await listCategoriesBySlug(db, slugs), 'slug'))
  const tags = together(
    async ids => new Map((await listTagSlugs(db, ids)).map(row => [row.post_id, labelsIn(row)] as const))
  )
  const ofCategory = together(async slugs => counts(await countByCategory(db, slugs)))
  const ofTag = together(async slugs => counts(await countByTag(db, slugs)))
  const text = (name: 'content' | 'content_html') => async (post: Node, _: unknown, context: GraphqlContext) =>
    post[name] ?? (await context.load(texts, post.post_id))?.[name] ?? null
  const postCount = (read: BatchRead<number>) => async (label: Label, _: unknown, context: GraphqlContext) =>
    label.post_count ?? (await context.load(read, label.slug)) ?? 0
  const cursor = ({ slug }: Label) => encodeCursor([slug])
  return {
    Post: {
      content: text('content'),
      contentHtml: text('content_html'),
      categoryDetails: ({ category }: Node, _: unknown, context: GraphqlContext) =>
        category === null ? null : context.load(categories, category),
      tagDetails: async ({ post_id }: Node, _: unknown, context: GraphqlContext) =>
        (await context.load(tags, post_id)) ?? []
    },
    Category: { postCount: postCount(ofCategory), cursor },
    Tag: { postCount: postCount(ofTag), cursor }
  }
}

const byKey = <Row extends Record<Key, string>, Key extends string>(rows: readonly Row[], key: Key): Map<string, Row> =>
  new Map(rows.map(row => [row[key], row]))

const counts = (rows: readonly { slug: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ slug, count }) => [slug, count]))

const labelsIn = ({ tags, tag_slugs }: { tags: string[]; tag_slugs: string[] }): Label[] =>
  tag_slugs.map((slug, index) => ({ slug, name: tags[index] ?? slug }))

/** What requests ask for while statements are under way is read by the next one together, up to `most` requests' keys. */
function together<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  most = 25
): BatchRead<Value> {
  const loader = createLoader<{ set: string; found: ReadonlyMap<string, Value> }>({
    keyOf: ({ set }) => set,
    maxKeys: most,
    async read(sets) {
      const found = await read([...new Set(sets.flatMap(set => JSON.parse(set) as string[]))])
      return sets.map(set => ({ set, found }))
    }
  })
  return async keys => (await loader.load(JSON.stringify(keys)))?.found ?? new Map()
}
