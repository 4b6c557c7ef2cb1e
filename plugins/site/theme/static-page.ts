import { type Html, html, type SiteView, type StaticPageView } from '../theme-primitives.ts'
import { openGraph } from './head.ts'
import { layout, ofSite } from './layout.ts'

/** A page that is no post, such as an imprint. */
export const staticPage = (site: SiteView, { title, language, text, url, approved_at }: StaticPageView): Html =>
  layout(site, {
    title,
    description: '',
    canonical: url,
    language,
    head: openGraph(site, { title, description: '', url }),
    body: html`<article class="post">
<header><h1>${title}</h1></header>
<div class="text">${text}</div>
<footer><p class="facts"${ofSite(site, language)}><time datetime="${approved_at}">${site.text('updated', { date: site.date(approved_at) })}</time></p></footer>
</article>`
  })
