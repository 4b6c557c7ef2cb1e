import type { Feed, FeedItem } from './feed.ts'
import { escapedText, htmlText, plainText, titleText, type XmlElement, xmlText } from './xml.ts'

/** The feed as Atom 1.0 (RFC 4287). */
export function atomText(feed: Feed): string {
  return xmlText({
    feed: {
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      '@_xml:lang': feed.language,
      id: feed.self,
      title: plainText(feed.title),
      ...(feed.description === '' ? {} : { subtitle: plainText(feed.description) }),
      updated: feed.updated.toISOString(),
      // Of the entries that have none of their own: the format asks for one.
      author: { name: plainText(feed.site) },
      link: linksOf(feed),
      generator: 'galley',
      entry: feed.items.map(entryOf)
    }
  })
}

function linksOf({ page, self, hub }: Feed): XmlElement[] {
  const own = [
    { '@_href': page, '@_rel': 'alternate' },
    { '@_href': self, '@_rel': 'self', '@_type': 'application/atom+xml' }
  ]
  return hub === '' ? own : [...own, { '@_href': hub, '@_rel': 'hub' }]
}

const htmlOf = (html: string): XmlElement => ({ '@_type': 'html', '#cdata': html })

function entryOf({ id, url, title, excerpt, html, author, published, updated, labels }: FeedItem): XmlElement {
  return {
    id,
    title: htmlOf(titleText(title)),
    link: { '@_href': url, '@_rel': 'alternate', '@_type': 'text/html' },
    published: published.toISOString(),
    updated: updated.toISOString(),
    ...(author === null ? {} : { author: { name: plainText(author) } }),
    category: labels.map(({ name, term }) => ({ '@_term': plainText(term), '@_label': plainText(name) })),
    ...(excerpt === '' ? {} : { summary: htmlOf(escapedText(excerpt)) }),
    ...(html === null ? {} : { content: htmlOf(htmlText(html)) })
  }
}
