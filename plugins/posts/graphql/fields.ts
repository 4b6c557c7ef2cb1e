import type { BatchRead, Db, GraphqlContext, GraphqlModule } from '#core'
import { encodeCursor, listFingerprint } from '#lists'
import type { Post, PostSummary } from '../index.ts'
import type { Links } from '../reads/links.ts'
import { countByCategory, countByTag, listCategoriesBySlug, listTagSlugs } from '../repository/labels.ts'
import { type BoundedTextRow, listTextsWithin } from '../repository/reads.ts'
import { coalesced } from './shared-reads.ts'

/** A post of a list has no text, one by its slug has. */
type Node = PostSummary & Partial<Pick<Post, 'content' | 'content_html'>>
interface Label {
  slug: string
  name: string
  /** Known where labels are listed. */
  post_count?: number
}

/** Fields that need a statement of their own: one for all the posts of a query. */
export function postFields(
  db: Db,
  { withPictures }: Pick<Links, 'withPictures'>
): NonNullable<GraphqlModule['resolvers']> {
  const texts = textsWithin(db)
  const categories = coalesced(async slugs => byKey(await listCategoriesBySlug(db, slugs), 'slug'))
  const tags = coalesced(
    async ids => new Map((await listTagSlugs(db, ids)).map(row => [row.post_id, labelsIn(row)] as const))
  )
  const ofCategory = coalesced(async slugs => counts(await countByCategory(db, slugs)))
  const ofTag = coalesced(async slugs => counts(await countByTag(db, slugs)))
  const text = (name: 'content' | 'content_html') => async (post: Node, _: unknown, context: GraphqlContext) => {
    if (post[name] !== undefined) return post[name]
    const stored = (await context.load(texts, post.post_id))?.[name] ?? null
    return stored && withPictures(stored)
  }
  const postCount = (read: BatchRead<number>) => async (label: Label, _: unknown, context: GraphqlContext) =>
    label.post_count ?? (await context.load(read, label.slug)) ?? 0
  const cursorIn =
    (list: string) =>
    ({ slug }: Label) =>
      encodeCursor([slug], { list })
  return {
    Post: {
      content: text('content'),
      contentHtml: text('content_html'),
      categoryDetails: ({ category }: Node, _: unknown, context: GraphqlContext) =>
        category === null ? null : context.load(categories, category),
      tagDetails: async ({ post_id }: Node, _: unknown, context: GraphqlContext) =>
        (await context.load(tags, post_id)) ?? []
    },
    Category: { postCount: postCount(ofCategory), cursor: cursorIn(listFingerprint(['categories'])) },
    Tag: { postCount: postCount(ofTag), cursor: cursorIn(listFingerprint(['tags'])) }
  }
}

/** A query may select only one of the two texts. Both are read, so at most twice the response's limit. */
const textsOfPost = 2

/**
 * The texts of many posts. Several requests share one read. When it passes the limit, each request reads its own texts.
 */
function textsWithin(db: Db): BatchRead<BoundedTextRow> {
  let maxBytes = 0
  const joined = coalesced(async ids => byKey(await listTextsWithin(db, ids, maxBytes), 'post_id'), 4)
  return async (ids, context) => {
    maxBytes = context.maxBytes * textsOfPost
    const found = await joined(ids, context)
    const own = ids.flatMap(id => found.get(id) ?? [])
    const bytes = own.reduce((sum, row) => sum + row.bytes, 0)
    if (bytes > maxBytes) context.refuseLarge(bytes)
    const isWhole = own.every(({ content, content_html }) => content !== null && content_html !== null)
    return isWhole ? found : byKey(await listTextsWithin(db, ids, maxBytes), 'post_id')
  }
}

const byKey = <Row extends Record<Key, string>, Key extends string>(rows: readonly Row[], key: Key): Map<string, Row> =>
  new Map(rows.map(row => [row[key], row]))

const counts = (rows: readonly { slug: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ slug, count }) => [slug, count]))

const labelsIn = ({ tags, tag_slugs }: { tags: string[]; tag_slugs: string[] }): Label[] =>
  tag_slugs.map((slug, index) => ({ slug, name: tags[index] ?? slug }))
