import { Feed } from 'feed'
import { asXmlText, type Queryable, type Settings } from '#core'
import { escapeHtml } from '#text/html-entities'
import type { Links } from '../reads/links.ts'
import { type FeedRow, listNewest } from '../repository/reads.ts'
import type { postSettings } from '../settings.ts'

/** Of all texts of a feed: readers fetch it whole, again and again. */
export const maxFeedBytes = 5_000_000

/** The RSS 2.0 feed of the newest public posts. */
export async function rssFeed(
  db: Queryable,
  { settings, links }: { settings: Settings<typeof postSettings>; links: Links }
): Promise<string> {
  const rows = await listNewest(db, settings.get('feed_items'), maxFeedBytes)
  const feed = new Feed({
    title: literal(settings.get('site_title')),
    description: literal(settings.get('site_description')),
    language: settings.get('site_language'),
    link: links.home(),
    feed: links.feed(),
    generator: 'galley',
    // Without posts nothing has changed yet; a clock here would change the entity tag of every answer.
    updated: new Date(Math.max(0, ...rows.map(row => Date.parse(row.updated_at))))
  })
  for (const row of rows) feed.addItem(itemOf(row, links))
  return feed.rss2()
}

function itemOf(row: FeedRow, links: Links) {
  const categories = [...(row.category === null ? [] : [row.category]), ...row.tags]
  return {
    title: plain(row.title),
    // Not the address: that may change, and readers would show the post again.
    guid: `urn:uuid:${row.post_id}`,
    link: links.post(row.slug),
    date: new Date(row.published_at),
    ...(row.excerpt === '' ? {} : { description: asXmlText(escapeHtml(row.excerpt)) }),
    content: asXmlText(absolute(row.content_html, links.home())).replaceAll(']]>', ']]&gt;'),
    category: categories.map(name => ({ name: literal(name) }))
  }
}

/** Feed readers show the text elsewhere: addresses relative to the site would lead nowhere. */
export function absolute(html: string, home: string): string {
  return html.replace(/(\s(?:href|src)=")\//g, `$1${home}`)
}

/** The library takes `&amp;` for an & that is escaped already; here it is what was typed. */
const literal = (text: string): string => asXmlText(text).replaceAll('&amp;', '&amp;amp;')

/** What HTML reads as a character reference, some of them without a semicolon. Other & stay as they are, for readers who take titles as they stand. */
const reference = /&(?=#|[A-Za-z][A-Za-z0-9])/g

/** Most readers take titles for HTML: a title must bring neither a tag nor a reference, nor the end mark of CDATA. */
function plain(text: string): string {
  return asXmlText(text).replace(reference, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
