import type { PostSummary } from '#plugins/posts'

/** A list in the shape of the REST API, whole. */
export function listText(items: readonly object[]): string {
  return JSON.stringify({ items, total: items.length, limit: items.length, offset: 0 })
}

/** The same for posts as they come, item by item: the list of a large site is never in memory. */
export async function* indexText(posts: AsyncIterable<PostSummary>): AsyncGenerator<string> {
  let total = 0
  for await (const post of posts) yield `${total++ === 0 ? '{"items":[' : ',\n'}${JSON.stringify(post)}`
  yield `${total === 0 ? '{"items":[' : ''}],"total":${total},"limit":${total},"offset":0}`
}

/** What sitemaps.org allows in one file. */
const mostUrls = 50_000

/** The newest posts' addresses. */
export function* sitemapText(posts: Iterable<{ url: string; updated_at: string }>): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
  let urls = 0
  for (const { url, updated_at } of posts) {
    if (urls++ === mostUrls) break
    yield `<url><loc>${escapeXml(url)}</loc><lastmod>${updated_at}</lastmod></url>\n`
  }
  yield '</urlset>\n'
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}
