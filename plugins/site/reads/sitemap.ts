import type { Db } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { escapeHtml } from '#text/html-entities'
import type { SiteView } from '../views.ts'
import type { ApprovedPages } from './approved-pages.ts'
import type { Site } from './site.ts'

/** Of one file, by sitemaps.org. */
export const maxLocations = 50_000

interface Location {
  url: string
  updated_at?: string
}

/** The addresses of all pages, for search engines. */
export interface Sitemap {
  /** All of them, or the list of the parts where they are too many for one file. */
  whole(): Promise<string>
  /** Part 0 has the lists, part n the posts; undefined past the end. */
  part(number: number): Promise<string | undefined>
}

interface SitemapDeps {
  db: Db
  published: PublishedPosts
  site: Site
  staticPages: ApprovedPages
  /** Default: `maxLocations`. */
  maxPerFile?: number
}

export function createSitemap({ db, published, site, staticPages, maxPerFile = maxLocations }: SitemapDeps): Sitemap {
  const lists = () => listPages(db, { published, site, staticPages }, maxPerFile)
  const posts = (offset: number, limit: number) => published.addresses(db, { limit, offset })
  return {
    async whole() {
      const [total, pages] = await Promise.all([published.count({}), lists()])
      if (total + pages.length <= maxPerFile) return urlSet([...pages, ...(await posts(0, maxPerFile))])
      const { view } = await site.read()
      const parts = 1 + Math.ceil(total / maxPerFile)
      return index(Array.from({ length: parts }, (_, part) => view.absolute(view.path(`/sitemaps/${part}.xml`))))
    },
    async part(number) {
      if (number === 0) return urlSet(await lists())
      const found = await posts((number - 1) * maxPerFile, maxPerFile)
      return found.length === 0 ? undefined : urlSet(found)
    }
  }
}

/** The pages that are no post. */
async function listPages(
  db: Db,
  { published, site, staticPages }: Pick<SitemapDeps, 'published' | 'site' | 'staticPages'>,
  limit: number
): Promise<Location[]> {
  const [categories, tags, pages] = await Promise.all([published.categories(db), published.tags(db), staticPages.all()])
  return locationsOf((await site.read()).view, { categories, tags, pages }).slice(0, limit)
}

interface ListedPages {
  categories: readonly { slug: string }[]
  tags: readonly { slug: string }[]
  pages: Awaited<ReturnType<ApprovedPages['all']>>
}

/** The addresses of the pages that are no post, as a view of the site names them. */
export function locationsOf(view: SiteView, { categories, tags, pages }: ListedPages): Location[] {
  const locate = (place: string): Location => ({ url: view.absolute(view.path(place)) })
  const lists = [
    '/',
    '/archive',
    ...(view.hasPodcast ? ['/podcast'] : []),
    ...categories.map(({ slug }) => `/categories/${slug}`),
    ...tags.map(({ slug }) => `/tags/${slug}`)
  ]
  const stated = pages.map(({ place, approved_at }) => ({ ...locate(place), updated_at: approved_at }))
  return [...stated, ...lists.map(locate)]
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function urlSet(locations: readonly Location[]): string {
  const lines = locations.map(({ url, updated_at }) => {
    const changed = updated_at === undefined ? '' : `<lastmod>${updated_at}</lastmod>`
    return `<url><loc>${escapeHtml(url)}</loc>${changed}</url>\n`
  })
  return `${declaration}<urlset xmlns="${namespace}">\n${lines.join('')}</urlset>\n`
}

function index(urls: readonly string[]): string {
  const lines = urls.map(url => `<sitemap><loc>${escapeHtml(url)}</loc></sitemap>\n`)
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${lines.join('')}</sitemapindex>\n`
}
