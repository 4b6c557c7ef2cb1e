import { type Html, html, type SearchView, type SiteView } from '../theme-primitives.ts'
import { layout } from './layout.ts'
import { entry, pagination } from './partials.ts'

/** Longer queries are refused. */
const maxLength = 500

/** A form, and below it what was found. It works without a script. */
export function search(site: SiteView, { q, found }: SearchView): Html {
  const { text } = site
  return layout(site, {
    title: q === '' ? text('search') : text('searchFor', { q }),
    description: text('searchSite', { site: site.title }),
    isIndexed: false,
    hasScript: true,
    current: site.path('/search'),
    body: html`<div class="wide"><div class="intro"><h1>${text('search')}</h1>
<form class="search" role="search" action="${site.path('/search')}" method="get">
<label for="q">${text('searchHint')}</label>
<input id="q" name="q" type="search" dir="auto" value="${q}" maxlength="${maxLength}" required autocomplete="off" list="titles"><button>${text('search')}</button>
<datalist id="titles" data-from="${site.path('/api/posts/suggest')}"></datalist>
</form></div>
<div id="found">${found !== null && results(site, found)}</div>
</div>`
  })
}

const results = (
  site: SiteView,
  found: NonNullable<SearchView['found']>
): Html => html`${found.corrected.length > 0 && corrected(site, found.corrected)}<p class="facts" role="status">${
  found.total === 0 ? site.text('nothingFound') : site.text('posts', { count: found.total })
}</p>
<div class="entries">${found.posts.map(post => entry(site, post, { snippet: post.snippet }))}</div>
${pagination(site, found)}`

const corrected = ({ text }: SiteView, words: readonly string[]): Html =>
  html`<p class="facts">${text('searchCorrected', { words: words.join(', ') })}</p>
`
