import { type Db, type Installation, isObject, isUuid } from '#core'
import type { Post, PostSummary, PublishedPosts } from '#plugins/posts'
import { escapeHtml } from '#text/html-entities'
import type { ExportFile, ExportPart, ExportSurface, ExportTotals } from './index.ts'
import { parseJson } from './manifest.ts'
import { isSafeSlug } from './surfaces.ts'

interface JsonDeps {
  db: Db
  published: PublishedPosts
  installation: Pick<Installation, 'version' | 'baseUrl'>
}

/** Posts in `posts/index.json`. The others are in the list pages that it names. */
const maxListed = 1000

/** The posts as the API answers them, the feeds and the site map. */
export function createJsonSurface({ db, published, installation }: JsonDeps): ExportSurface {
  return {
    name: 'json',
    listPaths: () => ['posts/index.json', 'categories.json', 'tags.json', 'feed.xml', 'feed.json', 'sitemap.xml'],
    key: () => [installation.version, installation.baseUrl(), published.settingsKey()].join(' '),
    postPaths: slug => [`posts/${slug}.json`],
    postFiles: async (_, posts) => posts.map(post => ({ files: [json(`posts/${post.slug}.json`, post)] })),
    isOwn: isOwnPost,
    partFiles: part => partFiles(published, part),
    async *listFiles(_, totals) {
      const newest = await published.listed(db, { limit: maxListed, offset: 0 })
      const items = newest.items.filter(({ slug }) => isSafeSlug(slug))
      yield json('posts/index.json', indexOf(items, totals))
      const { categories, tags } = await totals.labels()
      yield json('categories.json', fullPage(categories))
      yield json('tags.json', fullPage(tags))
      yield { path: 'feed.xml', content: await published.feedXml(db), type: 'application/rss+xml' }
      yield { path: 'feed.json', content: await published.feedJson(db), type: 'application/feed+json' }
      yield siteMap(published, items, totals)
    }
  }
}

/** Whether the file at the path of a post has one. */
function isOwnPost(path: string, text: string): boolean {
  const value = path.endsWith('.json') ? parseJson(text) : null
  if (!isObject(value)) return false
  const { post_id, slug } = value
  return typeof post_id === 'string' && isUuid(post_id) && path === `posts/${slug}.json`
}

const json = (path: string, value: Post | object): ExportFile => ({
  path,
  content: JSON.stringify(value),
  type: 'application/json'
})

/** A complete list in the shape of the REST API. */
const fullPage = (items: readonly object[]) => ({ items, total: items.length, limit: items.length, offset: 0 })

const listPagePathOf = (part: number) => `posts/index/${part}.json`
const mapPathOf = (part: number) => `sitemaps/${part}.xml`

/** The newest posts. Where there are more, also the paths of the list pages that have all. */
function indexOf(items: readonly PostSummary[], { posts, parts }: ExportTotals): object {
  const index = { items, total: posts, limit: items.length, offset: 0 }
  if (posts <= items.length) return { ...index, total: items.length }
  return { ...index, parts: parts.map(({ part, posts }) => ({ path: listPagePathOf(part), posts })) }
}

const partFiles = (published: PublishedPosts, { part, posts }: ExportPart): ExportFile[] => [
  json(listPagePathOf(part), fullPage(posts)),
  xml(mapPathOf(part), addressList(published, posts))
]

/** The addresses of all posts, or the site maps of the parts. */
function siteMap(published: PublishedPosts, items: readonly PostSummary[], { posts, parts }: ExportTotals): ExportFile {
  if (posts <= items.length) return xml('sitemap.xml', addressList(published, items))
  const { home } = published.site()
  const maps = parts.map(({ part }) => `<sitemap><loc>${escapeHtml(`${home}/${mapPathOf(part)}`)}</loc></sitemap>\n`)
  return xml('sitemap.xml', `<sitemapindex ${schema}>\n${maps.join('')}</sitemapindex>\n`)
}

const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

function addressList(published: PublishedPosts, posts: readonly PostSummary[]): string {
  const urls = posts.map(
    ({ slug, updated_at }) =>
      `<url><loc>${escapeHtml(published.addressOf(slug))}</loc><lastmod>${updated_at}</lastmod></url>\n`
  )
  return `<urlset ${schema}>\n${urls.join('')}</urlset>\n`
}

const xml = (path: string, root: string): ExportFile => ({
  path,
  content: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`,
  type: 'application/xml'
})
