import { trusted } from '../html/html.ts'
import type { SiteData } from '../site-view.ts'
import type { ListedPost, PageViews, PartView } from '../views.ts'

/** What somebody may write anywhere. A page that shows it other than as a text has a fault. */
export const hostileText = `</title><script>alert(1)</script>"'><img src=x onerror=alert(2)>`
/** What a page must not have because of it. */
export const isInjected = (html: string): boolean => /<script>alert\(1\)|<img src=x onerror/.test(html)

/** A site that a theme is tried with, where the theme's files lie at `assets`. */
export const sampleSite = (assets: SiteData['assets']): SiteData => ({
  title: 'Tide & Stone',
  description: hostileText,
  language: 'en',
  base: 'https://example.org/blog',
  exportRoot: null,
  timeZone: 'UTC',
  logo: null,
  menu: [{ label: 'Archive', url: '/blog/archive' }],
  footer: [{ label: 'Feed', url: '/blog/feed.xml' }],
  hasSearch: true,
  hasPodcast: true,
  isIndexed: true,
  assets,
  texts: []
})

const post: ListedPost = {
  post_id: '00000000-0000-4000-8000-000000000001',
  slug: 'tides',
  title: hostileText,
  excerpt: 'Why the sea rises.',
  status: 'published',
  category: 'sea',
  tags: ['Moon'],
  seo_title: null,
  seo_description: null,
  seo_keywords: [],
  niche_slug: null,
  featured_image_url: '/images/generated/tides.png',
  picture: { width: 1200, height: 630, renditions: [{ url: '/images/generated/tides-480.webp', width: 480 }] },
  published_at: '2026-02-02T10:00:00.000Z',
  media: { podcast_url: '/episodes/00000000-0000-4000-8000-000000000001.mp3', video_url: null },
  word_count: 420,
  reading_minutes: 2,
  language: 'en',
  author: 'Ada',
  created_at: '2026-02-01T10:00:00.000Z',
  updated_at: '2026-02-02T10:00:00.000Z'
}
const minimalPost: ListedPost = {
  ...post,
  slug: 'madd',
  title: 'المد',
  language: 'ar',
  excerpt: null,
  category: null,
  tags: [],
  featured_image_url: null,
  author: null,
  media: { podcast_url: null, video_url: null }
}

const part = (page: number, posts: readonly ListedPost[]): PartView => ({
  posts,
  total: posts.length === 0 ? 0 : 6,
  page,
  pages: posts.length === 0 ? 1 : 3,
  url: `/blog/?page=${page}`,
  newer: page > 1 ? '/blog/' : null,
  older: posts.length === 0 ? null : '/blog/?page=3'
})
const parts = [part(1, [post, minimalPost]), part(2, [minimalPost]), part(1, [])]
const category = { slug: 'sea', name: 'Sea' }
const text = trusted('<p>The moon <em>pulls</em>.</p>')

const ofPost: PageViews['post'] = {
  post,
  category,
  tags: [{ slug: 'moon', name: 'Moon' }],
  text,
  lead: 'Why the sea rises.',
  url: 'https://example.org/blog/posts/tides',
  audio: '/blog/episodes/a.mp3',
  transcript: '/blog/episodes/a.json',
  video: '/blog/episodes/a.mp4',
  previous: { slug: 'madd', title: 'المد' },
  next: { slug: 'moon', title: hostileText },
  related: [minimalPost]
}
const nothingElse = {
  category: null,
  tags: [],
  lead: null,
  audio: null,
  transcript: null,
  video: null,
  previous: null,
  next: null,
  related: []
}

/** Views of each kind of page, with everything and with next to nothing. */
export const sampleViews: { readonly [Kind in keyof PageViews]: readonly PageViews[Kind][] } = {
  home: parts.map(each => ({ part: each, categories: [category] })),
  label: parts.map((each, at) => ({
    kind: at === 0 ? 'category' : 'tag',
    ...category,
    name: hostileText,
    description: '',
    part: each
  })),
  archive: parts.map(each => ({ part: each })),
  post: [ofPost, { ...ofPost, ...nothingElse, post: minimalPost }],
  staticPage: [
    { title: hostileText, language: 'he', text, url: 'https://example.org/blog/pages/a', approved_at: post.updated_at }
  ],
  search: [
    { q: '', found: null },
    {
      q: hostileText,
      found: { ...part(2, []), posts: [{ ...post, snippet: trusted('The <mark>moon</mark>') }], corrected: [] }
    },
    { q: 'moon', found: { ...part(1, []), posts: [], corrected: [hostileText, 'moon'] } }
  ],
  podcast: parts.map(each => ({ part: each })),
  failure: [404, 500].map(status => ({ status, message: hostileText, request_id: 'r1' }))
}
