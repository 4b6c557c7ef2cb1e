import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseRssFeed } from 'feedsmith'
import partytime from 'podcast-partytime'
import { escapeHtml } from '#text/html-entities'
import { podcastGuid } from '../../../../plugins/media/podcast/guid.ts'
import { type Podcast, type PodcastEpisode, podcastXml } from '../../../../plugins/media/podcast/podcast-xml.ts'

const podcast: Podcast = {
  title: 'Tides & <moons>',
  description: 'Why the sea rises',
  link: 'https://example.org/',
  feedUrl: 'https://example.org/podcast.xml',
  language: 'en-GB',
  author: 'Ann "A." Author',
  host: 'Ann & Bo',
  owner: { name: 'Ann', email: 'ann@example.org' },
  category: 'Society & Culture > Documentary',
  isExplicit: false,
  imageUrl: 'https://example.org/cover.jpg?a=1&b=2',
  copyright: '© 2026 Ann',
  license: 'cc-by-4.0',
  isLocked: true,
  valueAddress: '',
  guid: '',
  funding: { url: 'https://example.org/support?a=1&b=2', text: 'Support us' },
  txt: 'S6lpp-7ZCn8'
}
const post_id = '3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d'
const address = `https://example.org/episodes/${post_id}`
const episode: PodcastEpisode = {
  post_id,
  title: 'How tides follow the moon',
  description: 'Twice a day.',
  link: 'https://example.org/posts/tides',
  author: 'Bo & Co',
  publishedAt: new Date('2026-11-20T10:00:00Z'),
  audio: { url: `${address}.mp3`, bytes: 4711, type: 'audio/mpeg', seconds: 61.4 },
  imageUrl: 'https://example.org/tides.jpg',
  transcripts: [
    { url: `${address}.vtt`, type: 'text/vtt', language: 'en' },
    { url: `${address}.srt`, type: 'application/x-subrip', language: 'en' },
    { url: `${address}.json`, type: 'application/json', language: 'en' }
  ],
  chaptersUrl: `${address}.chapters.json`
}

// Every rule of PSP-1: what it requires (R), recommends and names as optional, each with the place where it has to stand.
const channelRules: Record<string, RegExp> = {
  'R namespaces':
    /<rss version="2\.0" xmlns:atom="http:\/\/www\.w3\.org\/2005\/Atom" xmlns:itunes="http:\/\/www\.itunes\.com\/dtds\/podcast-1\.0\.dtd" xmlns:podcast="https:\/\/podcastindex\.org\/namespace\/1\.0">/,
  'R UTF-8': /^<\?xml version="1\.0" encoding="UTF-8"\?>/,
  'R atom:link self':
    /<channel>\s*<atom:link href="https:\/\/example\.org\/podcast\.xml" rel="self" type="application\/rss\+xml"\/>/,
  'R title': /<channel>[\s\S]*?<title>Tides &amp; &lt;moons&gt;<\/title>[\s\S]*?<item>/,
  'R description': /<channel>[\s\S]*?<description>Why the sea rises<\/description>[\s\S]*?<item>/,
  'R link': /<channel>[\s\S]*?<link>https:\/\/example\.org\/<\/link>[\s\S]*?<item>/,
  'R language': /<language>en-GB<\/language>/,
  'R itunes:category':
    /<itunes:category text="Society &amp; Culture">\s*<itunes:category text="Documentary"\/>\s*<\/itunes:category>/,
  'R itunes:explicit': /<channel>[\s\S]*?<itunes:explicit>false<\/itunes:explicit>[\s\S]*?<item>/,
  'R itunes:image': /<itunes:image href="https:\/\/example\.org\/cover\.jpg\?a=1&amp;b=2"\/>/,
  'podcast:locked': /<podcast:locked owner="ann@example\.org">yes<\/podcast:locked>/,
  'podcast:guid': /<podcast:guid>[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}<\/podcast:guid>/,
  'itunes:author': /<channel>[\s\S]*?<itunes:author>Ann &quot;A\.&quot; Author<\/itunes:author>[\s\S]*?<item>/,
  copyright: /<copyright>© 2026 Ann<\/copyright>/,
  'podcast:txt': /<podcast:txt>S6lpp-7ZCn8<\/podcast:txt>/,
  'podcast:funding':
    /<podcast:funding url="https:\/\/example\.org\/support\?a=1&amp;b=2">Support us<\/podcast:funding>/,
  'itunes:type': /<itunes:type>episodic<\/itunes:type>/,
  'podcast:person': /<podcast:person role="host">Ann &amp; Bo<\/podcast:person>/,
  'itunes:owner': /<itunes:owner>\s*<itunes:name>Ann<\/itunes:name>\s*<itunes:email>ann@example\.org<\/itunes:email>/
}
const itemRules: Record<string, RegExp> = {
  'R title': /<title>How tides follow the moon<\/title>/,
  'R enclosure': new RegExp(`<enclosure url="${address}\\.mp3" length="4711" type="audio/mpeg"/>`),
  'R guid': new RegExp(`<guid isPermaLink="false">urn:uuid:${post_id}</guid>`),
  link: /<link>https:\/\/example\.org\/posts\/tides<\/link>/,
  pubDate: /<pubDate>Fri, 20 Nov 2026 10:00:00 GMT<\/pubDate>/,
  description: /<description>Twice a day\.<\/description>/,
  'itunes:duration': /<itunes:duration>61<\/itunes:duration>/,
  'itunes:explicit': /<itunes:explicit>false<\/itunes:explicit>/,
  'itunes:image': /<itunes:image href="https:\/\/example\.org\/tides\.jpg"\/>/,
  'itunes:episodeType': /<itunes:episodeType>full<\/itunes:episodeType>/,
  'podcast:transcript as WebVTT': new RegExp(
    `<podcast:transcript url="${address}\\.vtt" type="text/vtt" language="en"/>`
  ),
  'podcast:transcript as SubRip': new RegExp(
    `<podcast:transcript url="${address}\\.srt" type="application/x-subrip" language="en"/>`
  ),
  'podcast:transcript as JSON': new RegExp(
    `<podcast:transcript url="${address}\\.json" type="application/json" language="en"/>`
  ),
  'podcast:chapters': new RegExp(
    `<podcast:chapters url="${address}\\.chapters\\.json" type="application/json\\+chapters"/>`
  ),
  'podcast:person': /<podcast:person role="host">Bo &amp; Co<\/podcast:person>/,
  'podcast:license': /<podcast:license>cc-by-4\.0<\/podcast:license>/
}

describe('the feed has what PSP-1 requires and recommends', () => {
  const xml = podcastXml(podcast, [episode])
  const item = xml.slice(xml.indexOf('<item>'))
  for (const [rule, pattern] of Object.entries(channelRules)) test(`channel: ${rule}`, () => assert.match(xml, pattern))
  for (const [rule, pattern] of Object.entries(itemRules)) test(`item: ${rule}`, () => assert.match(item, pattern))
})

test('what an episode is about can be read as HTML', () => {
  const xml = podcastXml(podcast, [{ ...episode, description: 'Use Array<T> & not &copy;, "x" > y' }])
  const once = 'Use Array&lt;T&gt; & not &amp;copy;, "x" &gt; y'
  assert.ok(xml.includes(`<description>${escapeHtml(once)}</description>`), xml)
})

test('what is not set is left out', () => {
  const minimal = {
    ...{
      host: '',
      owner: { name: '', email: '' },
      category: '',
      imageUrl: '',
      copyright: '',
      license: '',
      description: ''
    },
    ...{ author: 'A', funding: { url: '', text: 'Support us' }, txt: '' }
  }
  const others = { author: null, chaptersUrl: null, imageUrl: null, transcripts: [] }
  const xml = podcastXml({ ...podcast, ...minimal }, [{ ...episode, ...others }])
  assert.doesNotMatch(
    xml,
    /owner|itunes:category|image|copyright|license|podcast:(?:value|person|chapters|transcript|funding|txt)/
  )
  // Required, and empty is as good as absent.
  assert.match(xml, /<description>Tides &amp; &lt;moons&gt;<\/description>/)
  assert.match(xml, /<podcast:locked>yes<\/podcast:locked>/)
})

test('no text is longer than PSP-1 allows, nor has blanks at its ends', () => {
  const long = ` ${'🌊é'.repeat(3000)} `
  const xml = podcastXml({ ...podcast, title: long, description: long }, [
    { ...episode, title: long, description: long }
  ])
  const textsOf = (name: string) =>
    [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text)
  const titles = textsOf('title')
  const descriptions = textsOf('description')
  assert.deepEqual([titles.length, descriptions.length], [3, 2])
  const txt = 'v'.repeat(4000)
  assert.ok(podcastXml({ ...podcast, txt }, []).includes(`<podcast:txt>${txt}</podcast:txt>`))
  for (const text of titles) assert.ok(text.length <= 255 && text === text.trim() && text.isWellFormed(), text)
  for (const text of descriptions) {
    const bytes = Buffer.byteLength(text)
    assert.ok(bytes <= 4000 && bytes > 3980 && /^🌊[🌊é]*…$/u.test(text), `${bytes} ${text.slice(-9)}`)
  }
})

test('an episode without a picture has that of the podcast', () => {
  const xml = podcastXml(podcast, [{ ...episode, imageUrl: null }])
  assert.match(xml, /<item>[\s\S]*<itunes:image href="https:\/\/example\.org\/cover\.jpg\?a=1&amp;b=2"\/>/)
})

test('a podcast that moved here keeps its GUID', () => {
  const guid = '917393e3-1b1e-5cef-ace4-edaa54e1f810'
  assert.match(podcastXml({ ...podcast, guid }, []), new RegExp(`<podcast:guid>${guid}</podcast:guid>`))
})

test('payments are offered when an address is set', () => {
  const paymentOf = (valueAddress: string) =>
    /<podcast:value .*?<\/podcast:value>/s.exec(podcastXml({ ...podcast, valueAddress }, []))?.[0]
  assert.match(
    paymentOf('ann@wallet.example') ?? '',
    /method="lnaddress"[\s\S]*address="ann@wallet\.example" split="100"/
  )
  assert.match(paymentOf('02'.repeat(33)) ?? '', /method="keysend"[\s\S]*type="node"/)
})

test('the GUID is the one that other hosts derive', () => {
  // The examples of the namespace's own document.
  assert.equal(podcastGuid('https://mp3s.nashownotes.com/pc20rss.xml'), '917393e3-1b1e-5cef-ace4-edaa54e1f810')
  assert.equal(podcastGuid('podnews.net/rss'), '9b024349-ccf0-5f69-a609-6b82873eab3c')
  assert.equal(podcastGuid('https://podnews.net/rss/'), podcastGuid('http://podnews.net/rss'))
})

test('two parsers of others read back every text that was written', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).map(each => `a${each}z`)
  fc.assert(
    fc.property(text, text, (title, author) => {
      const feed = partytime.parseFeed(podcastXml({ ...podcast, title }, [{ ...episode, title, author }]))
      assert.ok(feed)
      const [read] = feed.items
      const plain = (written: string | undefined) => written?.replace(/[^a-z]/gi, '')
      assert.equal(plain(feed.title), plain(title))
      assert.equal(plain(read?.title), plain(title))
      assert.equal(read?.enclosure.length, 4711)
      assert.equal(feed.guid, podcastGuid(podcast.feedUrl))
      const other = parseRssFeed(podcastXml({ ...podcast, title }, [{ ...episode, title, author }]))
      const [item] = other.items ?? []
      assert.deepEqual([plain(other.title), plain(item?.title)], [plain(title), plain(title)])
      assert.equal(item?.enclosures?.[0]?.length, 4711)
    }),
    { numRuns: 50 }
  )
})
