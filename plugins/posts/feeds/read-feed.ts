import { asText, type Queryable, type Settings } from '#core'
import type { Links } from '../reads/links.ts'
import { findCategory, findTag } from '../repository/catalogue.ts'
import { type FeedRow, listNewest } from '../repository/feeds.ts'
import type { postSettings } from '../settings.ts'
import { type FeedFormat, type FeedScope, feedPath } from './addresses.ts'
import { atomText } from './atom.ts'
import type { Feed, FeedItem, FeedLabel } from './feed.ts'
import { jsonFeedText } from './json-feed.ts'
import { rssText } from './rss.ts'

/** Of all texts of a feed: readers fetch it whole, again and again. */
const maxFeedBytes = 5_000_000

export interface FeedDeps {
  settings: Settings<typeof postSettings>
  links: Links
  /** Address of the WebSub hub; empty for none. */
  hub(): string
}

/** A feed as it is sent. */
interface FeedText {
  text: string
  self: string
  hub: string
}

const writers: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  rss: rssText,
  atom: atomText,
  json: jsonFeedText
}

/** The newest public posts as a feed; undefined for a category or tag without public posts. */
export async function readFeed(
  db: Queryable,
  deps: FeedDeps,
  format: FeedFormat,
  scope: FeedScope = {}
): Promise<FeedText | undefined> {
  const { settings, links } = deps
  const label = await labelIn(db, scope)
  if (label === undefined) return undefined
  const hasText = settings.get('feed_content') === 'full'
  const rows = await listNewest(db, scope, { limit: settings.get('feed_items'), maxBytes: maxFeedBytes })
  const title = settings.get('site_title')
  const feed: Feed = {
    title: asText(label.name === '' ? title : `${title}: ${label.name}`),
    description: asText(label.description || settings.get('site_description')),
    language: links.siteLanguage(),
    site: asText(title),
    page: links.listPage(scope),
    self: links.feed(feedPath(format, scope)),
    hub: deps.hub(),
    // Without posts nothing has changed yet; a clock here would change the entity tag of every answer.
    updated: new Date(Math.max(0, ...rows.map(row => Date.parse(row.updated_at)))),
    items: rows.map(row => itemOf(row, links, hasText))
  }
  return { text: writers[format](feed), self: feed.self, hub: feed.hub }
}

/** What a feed of a category or tag is called; empty for all posts. */
async function labelIn(db: Queryable, { category, tag }: FeedScope) {
  if (category !== undefined) return findCategory(db, category)
  if (tag === undefined) return { name: '', description: '' }
  const name = await findTag(db, tag)
  return name === undefined ? undefined : { name, description: '' }
}

function itemOf(row: FeedRow, links: Links, hasText: boolean): FeedItem {
  return {
    id: `urn:uuid:${row.post_id}`,
    url: links.post(row.slug),
    title: asText(row.title),
    excerpt: asText(row.excerpt),
    html: hasText
      ? absolute(links.withPictures(row.content_html), { home: links.home(), post: links.post(row.slug) })
      : null,
    author: row.author,
    published: new Date(row.published_at),
    updated: new Date(row.updated_at),
    labels: labelsOf(row)
  }
}

function labelsOf({ category, category_name, tags }: FeedRow): FeedLabel[] {
  const ofTags = tags.map(tag => ({ name: tag, term: tag }))
  return category === null ? ofTags : [{ name: category_name ?? category, term: category }, ...ofTags]
}

/** The start of an address in a tag that has neither a scheme nor a host. */
const relative = /(<[a-z]+\b[^<>]*?\s(?:href|src)=")(?![a-z][a-z\d+.-]*:|\/\/)([/#?"]?)/gi

/** Feed readers show the text elsewhere: such addresses would lead nowhere. */
function absolute(html: string, { home, post }: { home: string; post: string }): string {
  // Such as that of the post beside it. Empty, it is the post itself.
  const folder = post.slice(0, post.lastIndexOf('/') + 1)
  const starts: Record<string, string> = { '/': home, '#': `${post}#`, '?': `${post}?`, '"': `${post}"`, '': folder }
  return html.replace(relative, (_, before: string, start: string) => before + starts[start])
}
