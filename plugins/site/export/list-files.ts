import type { Queryable } from '#core'
import type { ExportFile, PublicLabels } from '#plugins/export'
import { forExports } from '../article/picture-sizes.ts'
import type { SiteComponents } from '../components.ts'
import { assetPath } from '../export-links.ts'
import { trusted } from '../html/html.ts'
import { withPictures } from '../reads/pictured.ts'
import { llmsText } from '../reads/robots.ts'
import type { ReadSite } from '../reads/site.ts'
import { locationsOf, urlSet } from '../reads/sitemap.ts'
import { findApproved, listApproved } from '../repository/approved.ts'
import type { ThemeFiles } from '../themes/theme-files.ts'
import { ownFiles, themeFiles, versionOf } from '../themes/theme-files.ts'
import type { PartView, SiteView } from '../views.ts'
import { htmlFile, staticArticles } from './post-pages.ts'
import { readStaticSite } from './static-site.ts'

const immutable = 'public, max-age=31536000, immutable'
const plain = 'text/plain; charset=utf-8'
/** Categories on the home page, and posts for language models. */
const maxCategories = 20
const maxListed = 100

/** Those that every export of the site has. */
export const listPaths = ['index.html', '404.html', 'robots.txt', 'llms.txt', 'sitemap-pages.xml']

/** Everything that is no post and no list of a group. */
export async function* siteFiles(
  components: SiteComponents,
  db: Queryable,
  { posts: total, labels: { categories: all, tags } }: { posts: number; labels: PublicLabels }
): AsyncGenerator<ExportFile> {
  const { themes, published } = components
  const read = await readStaticSite(components)
  const { data, view: site } = read
  yield* assets((await themes.look()).files)
  const { items } = await published.listed(components.db, { limit: maxListed, offset: 0 })
  const first = items.slice(0, components.settings.get('site_posts_per_page'))
  const { posts, isComplete: hasPictures } = await withPictures(first, components.pictureSizes, forExports)
  const others = total > posts.length ? [{ label: site.text('archive'), url: site.path('/archive') }] : []
  const part: PartView = { posts, total, page: 1, pages: 1, url: site.path('/'), newer: null, older: null, others }
  const categories = all.slice(0, maxCategories)
  const home = await themes.render('home', data, { part, categories })
  yield htmlFile('index.html', home.html, home.isComplete && hasPictures)
  const failure = await themes.render('failure', data, { status: 404, message: '', request_id: '' })
  yield htmlFile('404.html', failure.html, failure.isComplete)
  yield { path: 'robots.txt', content: exportedRobotsText(site), type: plain }
  yield { path: 'llms.txt', content: llmsText(site, items, published.addressOf), type: plain }
  yield {
    path: 'sitemap-pages.xml',
    content: urlSet(locationsOf(site, { categories: all, tags, pages: await components.approved.all() })),
    type: 'application/xml'
  }
  yield* staticPages(components, db, read)
}

/** Those of the theme, and those of galley's own, which stands in where the theme fails. */
function* assets(files: ThemeFiles): Generator<ExportFile> {
  const paths = new Set<string>()
  for (const from of [files, ownFiles])
    for (const { name, place, type } of themeFiles) {
      const content = from[name]
      const path = content === null ? '' : assetPath(`${place}?v=${versionOf(content)}`)
      if (content !== null && !paths.has(path)) yield { path, content, type, cacheControl: immutable }
      paths.add(path)
    }
}

/** Without the addresses that only a service has: nothing else here is to be left alone by crawlers. */
function exportedRobotsText(site: SiteView): string {
  if (!site.isIndexed) return 'User-agent: *\nDisallow: /\n'
  const maps = ['/sitemap.xml', '/sitemap-pages.xml'].map(place => `Sitemap: ${site.absolute(site.path(place))}\n`)
  return `User-agent: *\nDisallow:\n\n${maps.join('')}`
}

async function* staticPages(
  components: SiteComponents,
  db: Queryable,
  { data, view: site }: ReadSite
): AsyncGenerator<ExportFile> {
  for (const { slug } of await listApproved(db)) {
    const page = await findApproved(db, slug)
    if (page === undefined) continue
    const [article] = await staticArticles(components, site, '/pages/', [
      components.published.withPictures(page.content_html)
    ])
    const view = {
      title: page.title,
      language: page.language ?? site.language,
      text: trusted(article?.html ?? ''),
      url: site.absolute(site.path(`/pages/${slug}`)),
      approved_at: page.approved_at
    }
    const { html, isComplete } = await components.themes.render('staticPage', data, view)
    yield htmlFile(`pages/${slug}/index.html`, html, isComplete && article?.isComplete === true)
  }
}
