import type { Feed, FeedItem } from './feed.ts'
import { escapedText, htmlText, plainText, titleText, type XmlElement, xmlText } from './xml.ts'

/** The feed as RSS 2.0. */
export function rssText(feed: Feed): string {
  return xmlText({
    rss: {
      '@_version': '2.0',
      '@_xmlns:atom': 'http://www.w3.org/2005/Atom',
      '@_xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
      '@_xmlns:dc': 'http://purl.org/dc/elements/1.1/',
      channel: {
        title: plainText(feed.title),
        link: feed.page,
        description: plainText(feed.description),
        'atom:link': linksOf(feed),
        language: feed.language,
        lastBuildDate: feed.updated.toUTCString(),
        generator: 'galley',
        item: feed.items.map(itemOf)
      }
    }
  })
}

function linksOf({ self, hub }: Feed): XmlElement[] {
  const own = { '@_href': self, '@_rel': 'self', '@_type': 'application/rss+xml' }
  return hub === '' ? [own] : [own, { '@_href': hub, '@_rel': 'hub' }]
}

function itemOf({ id, url, title, excerpt, html, author, published, labels }: FeedItem): XmlElement {
  return {
    title: { '#cdata': titleText(title) },
    link: url,
    guid: { '@_isPermaLink': 'false', '#text': id },
    pubDate: published.toUTCString(),
    // The `author` of RSS is an e-mail address.
    ...(author === null ? {} : { 'dc:creator': plainText(author) }),
    ...(excerpt === '' ? {} : { description: { '#cdata': escapedText(excerpt) } }),
    ...(html === null ? {} : { 'content:encoded': { '#cdata': htmlText(html) } }),
    // A category may be a tag, too: RSS has one kind of both.
    category: [...new Set(labels.map(({ name }) => plainText(name)))]
  }
}
