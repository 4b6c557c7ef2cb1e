import type { PostSummary } from '#plugins/posts'
import { escapeHtml } from '#text/html-entities'

/** A complete list in the shape of the REST API. */
export function listText(items: readonly object[]): string {
  return JSON.stringify({ items, total: items.length, limit: items.length, offset: 0 })
}

/** The same as a stream, so that a long list is never in memory. */
export async function* indexText(posts: AsyncIterable<PostSummary>): AsyncGenerator<string> {
  let total = 0
  for await (const post of posts) yield `${total++ === 0 ? '{"items":[' : ',\n'}${JSON.stringify(post)}`
  yield `${total === 0 ? '{"items":[' : ''}],"total":${total},"limit":${total},"offset":0}`
}

/** The limit of sitemaps.org for one file. */
const maxUrls = 50_000

/** The addresses of the newest posts. */
export function* sitemapText(posts: Iterable<{ url: string; updated_at: string }>): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
  let urls = 0
  for (const { url, updated_at } of posts) {
    if (urls++ === maxUrls) break
    yield `<url><loc>${escapeHtml(url)}</loc><lastmod>${updated_at}</lastmod></url>\n`
  }
  yield '</urlset>\n'
}
