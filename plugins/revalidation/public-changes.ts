import type { Queryable } from '#core'
import {
  type FeedScope,
  feedFormats,
  feedPath,
  type PostLabels,
  type Posts,
  type PublishedPosts,
  postsCacheTag,
  purgeTag
} from '#plugins/posts'
import { sitePagesCacheTag } from '#plugins/site'
import type { ChangedPath, PublicChange } from './index.ts'

/** What happened to a post that is public, or was. */
export interface ChangedPost {
  post_id: string
  slug: string
  previous_slug?: string
  /** The category and tags that an edit took away. */
  left?: PostLabels
}

/** Every public answer of this service depends on it, beside `postsCacheTag`: settings decide how posts read. */
const settingsCacheTag = 'settings'

/** Everything: no page is named but the first, and every tag that all of them have. */
export const everything: PublicChange = {
  paths: [{ path: '/', tags: [postsCacheTag, settingsCacheTag] }],
  feeds: feedsOf({}),
  cacheTags: [postsCacheTag, settingsCacheTag]
}

/** A path on the website, as a regular expression. */
export const pathPattern = '^/(?!/)[^\\s\\\\#]*$'

/** A path that somebody asked for. A CDN knows tags only: for a path that is no post's and no label's everything is purged. */
export function changeOfPath(path: string): PublicChange {
  const [, place = '', slug = ''] = /^\/(posts|categories|tags)\/([a-z0-9-]+)\/?(?:\?|$)/.exec(path) ?? []
  const tag = purgeTags[place]?.(slug)
  return { paths: [{ path, tags: [] }], feeds: [], cacheTags: tag === undefined ? everything.cacheTags : [tag] }
}

const purgeTags: Readonly<Record<string, (slug: string) => string>> = {
  posts: purgeTag.post,
  categories: purgeTag.category,
  tags: purgeTag.tag
}

/** A category that is named or described otherwise: the pages of its posts, which say its name, have a tag for it. */
export function changeOfCategory(slug: string): PublicChange {
  const { path, feeds, tag } = categoryListing(slug)
  const cacheTags = [postsCacheTag, tag, purgeTag.categoryName(slug)]
  const own = [path, ...feeds].map(each => ({ path: each, tags: cacheTags }))
  return { paths: [...own, ...listPaths], feeds, cacheTags }
}

/** A static page of the site. Every page of the site names it, and has its tag. */
export const changeOfSitePage = (slug: string): PublicChange => ({
  paths: [`/pages/${slug}`, '/sitemap.xml'].map(path => ({ path, tags: [sitePagesCacheTag] })),
  feeds: [],
  cacheTags: [sitePagesCacheTag]
})

interface ChangedPostsDeps {
  posts: Pick<Posts, 'labels'>
  published: Pick<PublishedPosts, 'addressOf' | 'neighbourSlugs'>
  /** Of the addresses of posts, where they are pages of this service; undefined where the operator names them. */
  ownBaseUrl(): string | undefined
}

/** What readers see of posts that were published, edited or withdrawn. */
export async function changeOfPosts(
  { posts, published, ownBaseUrl }: ChangedPostsDeps,
  db: Queryable,
  changed: readonly ChangedPost[]
): Promise<PublicChange> {
  const post_ids = changed.map(({ post_id }) => post_id)
  const labels = await posts.labels(db, post_ids)
  const all = changed.flatMap(({ post_id, left }) => [labels.get(post_id) ?? [], left ?? []].flat())
  const listings = [
    ...[...new Set(all.flatMap(({ category }) => category ?? []))].map(categoryListing),
    ...[...new Set(all.flatMap(({ tags }) => tags))].map(tagListing)
  ]
  const slugs = [...new Set(changed.flatMap(({ slug, previous_slug = slug }) => [slug, previous_slug]))]
  const paths = [
    ...slugs.map(slug => ({
      path: postPath(published.addressOf(slug), ownBaseUrl()),
      tags: [postsCacheTag, purgeTag.post(slug)]
    })),
    ...listings.flatMap(({ path, feeds, tag }) =>
      [path, ...feeds].map(each => ({ path: each, tags: [postsCacheTag, tag] }))
    ),
    ...listPaths
  ]
  // Their pages lead to the changed posts from now on. Pages that showed a post before have its tag.
  const beside = await published.neighbourSlugs(db, post_ids)
  const own = [...[...new Set([...slugs, ...beside])].map(purgeTag.post), ...listings.map(({ tag }) => tag)]
  const feeds = [...feedsOf({}), ...listings.flatMap(listing => listing.feeds)]
  return { paths, feeds, cacheTags: [postsCacheTag, ...own] }
}

/** Pages and feeds that list posts of every kind. */
const listPaths: readonly ChangedPath[] = ['/', '/archive', '/sitemap.xml', ...feedsOf({})].map(path => ({
  path,
  tags: [postsCacheTag]
}))

/** Where the posts of a category or a tag are listed: its page, its feeds, and the cache tag of all of them. */
interface Listing {
  path: string
  feeds: readonly string[]
  tag: string
}

const categoryListing = (slug: string): Listing => ({
  path: `/categories/${slug}`,
  feeds: feedsOf({ category: slug }),
  tag: purgeTag.category(slug)
})

const tagListing = (slug: string): Listing => ({
  path: `/tags/${slug}`,
  feeds: feedsOf({ tag: slug }),
  tag: purgeTag.tag(slug)
})

function feedsOf(scope: FeedScope): string[] {
  return feedFormats.map(format => feedPath(format, scope))
}

/**
 * Where a front end shows a post. Without `post_url` the address is one of this service: a page of its site, or the one in the API.
 * The path of `public_url` is in none of the other paths.
 */
function postPath(address: string, ownBaseUrl: string | undefined): string {
  const isBelow = ownBaseUrl !== undefined && address.startsWith(`${ownBaseUrl}/`)
  const { pathname, search } = new URL(address)
  const own = isBelow ? address.slice(ownBaseUrl.length) : pathname + search
  return own.replace(/^.*\/api\/posts\//, '/posts/')
}
