import type { Db, Installation } from '#core'
import type { PictureSizes } from '#plugins/media'
import type { PublishedPosts } from '#plugins/posts'
import { articleHtml } from '../article/article.ts'
import type { CodeColours } from '../article/coloured-code.ts'
import { withPictureSizes } from '../article/picture-sizes.ts'
import { trusted } from '../html/html.ts'
import { findApproved } from '../repository/approved.ts'
import { basePathOf } from '../site-view.ts'
import type { SiteView, StaticPageView } from '../views.ts'
import { placeOfPage } from './approved-pages.ts'

interface StaticPageViewDeps {
  db: Db
  published: Pick<PublishedPosts, 'withPictures'>
  installation: Pick<Installation, 'baseUrl'>
  colourCode: CodeColours
  pictureSizes: PictureSizes | undefined
}

/** What a static page shows; undefined when none is approved. `isComplete` is false while its code has no colours yet. */
export async function readStaticPage(
  { db, published, installation, colourCode, pictureSizes }: StaticPageViewDeps,
  site: SiteView,
  slug: string
): Promise<{ view: StaticPageView; isComplete: boolean } | undefined> {
  const page = await findApproved(db, slug)
  if (page === undefined) return undefined
  const coloured = await colourCode(published.withPictures(page.content_html))
  const text = articleHtml(coloured.html, basePathOf(installation.baseUrl()))
  const { html, isComplete } = await withPictureSizes(text, pictureSizes)
  const view = {
    title: page.title,
    language: page.language ?? site.language,
    text: trusted(html),
    url: site.absolute(site.path(placeOfPage(slug))),
    approved_at: page.approved_at
  }
  return { view, isComplete: isComplete && coloured.isComplete }
}
