import type { Feed, FeedItem } from './feed.ts'

/** The feed as JSON Feed 1.1. */
export function jsonFeedText({ title, description, language, page, self, hub, items }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(description === '' ? {} : { description }),
    language,
    home_page_url: page,
    feed_url: self,
    ...(hub === '' ? {} : { hubs: [{ type: 'WebSub', url: hub }] }),
    items: items.map(itemOf)
  })
}

function itemOf({ id, url, title, excerpt, html, author, published, updated, labels }: FeedItem) {
  return {
    id,
    url,
    title,
    ...(excerpt === '' ? {} : { summary: excerpt }),
    ...(html === null ? { content_text: excerpt } : { content_html: html }),
    ...(author === null ? {} : { authors: [{ name: author }] }),
    date_published: published.toISOString(),
    date_modified: updated.toISOString(),
    tags: labels.map(({ name }) => name)
  }
}
