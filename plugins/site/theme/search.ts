import { type Html, html } from '../html/html.ts'
import type { SearchView, SiteView } from '../views.ts'
import { layout } from './layout.ts'
import { entry, pagination } from './parts.ts'

/** Longer queries are refused. */
const maxLength = 500

/** A form, and below it what was found. It works without a script. */
export function search(site: SiteView, { q, found }: SearchView): Html {
  return layout(site, {
    title: q === '' ? 'Search' : `Search: ${q}`,
    description: `Search ${site.title}`,
    isIndexed: false,
    current: site.path('/search'),
    body: html`<div class="wide"><div class="intro"><h1>Search</h1>
<form class="search" role="search" action="${site.path('/search')}" method="get">
<label for="q">Words, or a “phrase”</label>
<input id="q" name="q" type="search" value="${q}" maxlength="${maxLength}" required autocomplete="off"><button>Search</button>
</form>
${found !== null && html`<p class="facts" role="status">${outcome(found.total)}</p>`}</div>
${
  found !== null &&
  html`<div class="entries">${found.posts.map(post => {
    const snippet = found.snippets.get(post.post_id)
    return entry(site, post, snippet === undefined ? {} : { snippet })
  })}</div>
${pagination(found)}`
}</div>`
  })
}

const outcome = (total: number): string => {
  if (total === 0) return 'Nothing was found: try fewer or other words.'
  return total === 1 ? '1 post' : `${total} posts`
}
