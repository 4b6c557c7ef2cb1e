import type { Html } from './html/html.ts'
import { type SiteData, siteViewOf } from './site-view.ts'
import type { Themes } from './themes/themes.ts'
import type { PageKind, PageViews, SiteView } from './views.ts'

/** Something that another plugin shows on pages, in whatever theme. */
export interface PageFragment {
  /** The kinds of pages that have it. */
  pages: readonly PageKind[]
  /** `content`: below what the page is about. `end`: after everything, for what is not seen. */
  place: 'content' | 'end'
  /**
   * What is put there; null for nothing. Pages are cached until their post, the site or a setting changes, so it depends on nothing
   * else. `slug`: of the post; null on other pages. A script is linked, never inline.
   */
  html(site: SiteView, slug: string | null): Html | null
}

/** The end of a document is looked for in this order. */
const closings = { content: ['</main>', '</body>', '</html>'], end: ['</body>', '</html>'] } as const

/** Puts a fragment before the last of its closing tags that the document has. */
function insert(document: string, place: PageFragment['place'], fragment: string): string {
  const at = closings[place].map(tag => document.lastIndexOf(tag)).find(found => found >= 0) ?? document.length
  return `${document.slice(0, at)}${fragment}\n${document.slice(at)}`
}

/** The same themes, whose pages have the fragments that plugins added. */
export function withFragments(themes: Themes, fragments: readonly PageFragment[]): Themes {
  const views = new WeakMap<SiteData, SiteView>()
  const viewOf = (data: SiteData): SiteView => {
    const view = views.get(data) ?? siteViewOf(data)
    views.set(data, view)
    return view
  }
  return {
    ...themes,
    async render(kind, data, view) {
      const page = await themes.render(kind, data, view)
      const shown = fragments.filter(fragment => fragment.pages.includes(kind))
      if (shown.length === 0) return page
      const site = viewOf(data)
      const slug = slugIn(view)
      const html = shown.reduce((document, { place, html }) => {
        const fragment = html(site, slug)
        return fragment === null ? document : insert(document, place, fragment.toString())
      }, page.html)
      return { html, isComplete: page.isComplete }
    }
  }
}

const slugIn = (view: PageViews[PageKind]): string | null => ('post' in view ? view.post.slug : null)

/** Everything that fragments put on pages of this site: other texts mean other pages. */
export const fragmentTexts = (fragments: readonly PageFragment[], site: SiteView): string[] =>
  fragments.map(
    ({ pages, place, html }) => `${pages} ${place} ${html(site, pages.includes('post') ? 'slug' : null) ?? ''}`
  )
