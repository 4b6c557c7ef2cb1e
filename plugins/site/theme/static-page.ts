import { type Html, html } from '../html/html.ts'
import type { SiteView, StaticPageView } from '../views.ts'
import { openGraph } from './head.ts'
import { layout } from './layout.ts'
import { time } from './parts.ts'

/** A page that is no post, such as an imprint. */
export const staticPage = (site: SiteView, { title, language, text, url, approved_at }: StaticPageView): Html =>
  layout(site, {
    title,
    description: '',
    canonical: url,
    language,
    head: openGraph(site, { title, description: '', url }),
    body: html`<article class="post">
<header><h1>${title}</h1>
<p class="facts">${time(site, approved_at)}</p></header>
<div class="text">${text}</div>
</article>`
  })
