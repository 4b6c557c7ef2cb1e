import XmlBuilder from 'fast-xml-builder'
import { asXmlText } from '#core'
import { truncateText } from '#text/excerpts'
import { escapeMarkup } from '#text/html-entities'
import { partsOfCategory } from './categories.ts'
import { podcastGuid } from './guid.ts'

/** What the feed says of the podcast. Empty texts are left out. */
export interface Podcast {
  title: string
  description: string
  /** Address of the website. */
  link: string
  /** Address of the feed itself; the GUID is derived from it. */
  feedUrl: string
  language: string
  author: string
  /** Who speaks in it. */
  host: string
  owner: { name: string; email: string }
  category: string
  isExplicit: boolean
  imageUrl: string
  copyright: string
  license: string
  isLocked: boolean
  valueAddress: string
  /** Of the podcast at its former address; else it is derived from this one. */
  guid: string
  funding: { url: string; text: string }
  /** A proof of ownership. */
  txt: string
}

/** An episode: a public post with audio. */
export interface PodcastEpisode {
  post_id: string
  title: string
  description: string
  /** Address of the post. */
  link: string
  author: string | null
  publishedAt: Date
  /** `bytes` is what a reader of `url` gets. */
  audio: { url: string; bytes: number; type: string; seconds: number | null }
  /** Null for that of the podcast. A JPEG or PNG by its ending. PSP-1 wants 1,400 to 3,000 pixels on a side: what people chose is up to them. */
  imageUrl: string | null
  transcripts: readonly { url: string; type: string; language: string }[]
  chaptersUrl: string | null
}

interface Element {
  [name: string]: string | Element | readonly (string | Element)[] | undefined
}

const builder = new XmlBuilder({
  ignoreAttributes: false,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  format: true,
  indentBy: ' '
})

/** RSS 2.0 with the elements of iTunes and of Podcasting 2.0, as PSP-1 asks for. */
export function podcastXml(podcast: Podcast, episodes: readonly PodcastEpisode[]): string {
  const rss = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    rss: {
      '@_version': '2.0',
      '@_xmlns:atom': 'http://www.w3.org/2005/Atom',
      '@_xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      '@_xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
      channel: { ...channelOf(podcast, episodes), item: episodes.map(episode => itemOf(episode, podcast)) }
    }
  }
  return builder.build(rss)
}

function channelOf(podcast: Podcast, episodes: readonly PodcastEpisode[]): Element {
  const newest = Math.max(...episodes.map(({ publishedAt }) => publishedAt.getTime()))
  return {
    'atom:link': { '@_href': podcast.feedUrl, '@_rel': 'self', '@_type': 'application/rss+xml' },
    title: text(podcast.title),
    link: podcast.link,
    // The element must be there, and may not be empty.
    description: longText(podcast.description || podcast.title),
    language: podcast.language,
    ...present('copyright', podcast.copyright),
    // A clock here would change the entity tag of every answer.
    ...(episodes.length === 0 ? {} : { lastBuildDate: new Date(newest).toUTCString() }),
    generator: 'galley',
    ...ofItunes(podcast),
    ...ofPodcasting(podcast)
  }
}

function ofItunes(podcast: Podcast): Element {
  const { owner, category, imageUrl } = podcast
  return {
    'itunes:author': text(podcast.author),
    ...(owner.email === '' ? {} : { 'itunes:owner': { 'itunes:name': text(owner.name), 'itunes:email': owner.email } }),
    ...(category === '' ? {} : { 'itunes:category': categoryOf(category) }),
    'itunes:explicit': String(podcast.isExplicit),
    'itunes:type': 'episodic',
    ...(imageUrl === '' ? {} : { 'itunes:image': { '@_href': imageUrl }, image: imageOf(podcast) })
  }
}

function categoryOf(category: string): Element {
  const [name = '', inner] = partsOfCategory(category)
  return { '@_text': name, ...(inner === undefined ? {} : { 'itunes:category': { '@_text': inner } }) }
}

/** RSS wants the title and the link of the channel itself with its picture. */
const imageOf = ({ imageUrl, title, link }: Podcast): Element => ({ url: imageUrl, title: text(title), link })

function ofPodcasting(podcast: Podcast): Element {
  const { feedUrl, guid, host, owner, isLocked, license, funding, txt, valueAddress } = podcast
  return {
    'podcast:guid': guid || podcastGuid(feedUrl),
    'podcast:locked': {
      ...(owner.email === '' ? {} : { '@_owner': owner.email }),
      '#text': isLocked ? 'yes' : 'no'
    },
    'podcast:medium': 'podcast',
    ...(host === '' ? {} : { 'podcast:person': personOf(host) }),
    ...present('podcast:license', license),
    ...(funding.url === '' ? {} : { 'podcast:funding': { '@_url': funding.url, '#text': text(funding.text) } }),
    // A proof that is cut proves nothing.
    ...(txt === '' ? {} : { 'podcast:txt': asXmlText(txt).trim() }),
    ...(valueAddress === '' ? {} : { 'podcast:value': paymentOf(valueAddress) })
  }
}

/** The namespace wants at most 128 characters. */
const personOf = (name: string): Element => ({ '@_role': 'host', '#text': truncateText(text(name), 128) })

function paymentOf(address: string): Element {
  const isNode = !address.includes('@')
  return {
    '@_type': 'lightning',
    '@_method': isNode ? 'keysend' : 'lnaddress',
    'podcast:valueRecipient': {
      '@_name': 'podcast',
      '@_type': isNode ? 'node' : 'lnaddress',
      '@_address': address,
      '@_split': '100'
    }
  }
}

function itemOf(episode: PodcastEpisode, podcast: Podcast): Element {
  const { audio, author, chaptersUrl } = episode
  const { isExplicit, license } = podcast
  const imageUrl = episode.imageUrl ?? podcast.imageUrl
  return {
    title: text(episode.title),
    link: episode.link,
    description: longText(escapeMarkup(episode.description)),
    // Not the address: that may change, and apps would download the episode again.
    guid: { '@_isPermaLink': 'false', '#text': `urn:uuid:${episode.post_id}` },
    pubDate: episode.publishedAt.toUTCString(),
    enclosure: { '@_url': audio.url, '@_length': String(audio.bytes), '@_type': audio.type },
    ...(audio.seconds === null ? {} : { 'itunes:duration': String(Math.round(audio.seconds)) }),
    'itunes:explicit': String(isExplicit),
    'itunes:episodeType': 'full',
    ...(imageUrl === '' ? {} : { 'itunes:image': { '@_href': imageUrl } }),
    ...(author === null ? {} : { 'itunes:author': text(author), 'podcast:person': personOf(author) }),
    'podcast:transcript': episode.transcripts.map(({ url, type, language }) => ({
      '@_url': url,
      '@_type': type,
      '@_language': language
    })),
    ...(chaptersUrl === null
      ? {}
      : { 'podcast:chapters': { '@_url': chaptersUrl, '@_type': 'application/json+chapters' } }),
    ...present('podcast:license', license)
  }
}

const present = (name: string, value: string): Element => (value === '' ? {} : { [name]: text(value) })

/** PSP-1: 255 characters, unless it says otherwise, and no blanks at the ends. */
const text = (value: string): string => truncateText(asXmlText(value).trim(), 255)

/** PSP-1: 4,000 bytes. */
const maxLongBytes = 4000

function longText(value: string): string {
  const whole = Buffer.from(asXmlText(value).trim())
  if (whole.length <= maxLongBytes) return whole.toString()
  // Half a character at the end would become a replacement character.
  return `${whole.toString('utf8', 0, maxLongBytes - 6).replace(/\ufffd+$/, '')}…`
}
