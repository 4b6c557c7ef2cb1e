import type { Queryable, Settings } from '#core'
import type { Links } from '../reads/links.ts'
import { type FeedRow, listNewest } from '../repository/reads.ts'
import type { postSettings } from '../settings.ts'
import { absolute, maxFeedBytes } from './rss.ts'

/** The newest public posts as JSON Feed 1.1. */
export async function jsonFeed(
  db: Queryable,
  { settings, links }: { settings: Settings<typeof postSettings>; links: Links }
): Promise<string> {
  const rows = await listNewest(db, settings.get('feed_items'), maxFeedBytes)
  const description = settings.get('site_description')
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: settings.get('site_title'),
    ...(description === '' ? {} : { description }),
    language: settings.get('site_language'),
    home_page_url: links.home(),
    items: rows.map(row => itemOf(row, links))
  })
}

function itemOf(row: FeedRow, links: Links) {
  return {
    // Not the address: that may change, and readers would show the post again.
    id: `urn:uuid:${row.post_id}`,
    url: links.post(row.slug),
    title: row.title,
    ...(row.excerpt === '' ? {} : { summary: row.excerpt }),
    content_html: absolute(row.content_html, links.home()),
    date_published: row.published_at,
    date_modified: row.updated_at,
    tags: [...(row.category === null ? [] : [row.category]), ...row.tags]
  }
}
