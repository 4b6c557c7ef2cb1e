import { type Html, html } from '../html/html.ts'
import type { FailureView, SiteView } from '../views.ts'
import { layout } from './layout.ts'

const titles: Readonly<Record<number, string>> = {
  400: 'This address is not right',
  401: 'This needs a token',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'This cannot be read',
  429: 'Too many requests',
  503: 'Not available at the moment'
}

/** What a reader sees where something failed. */
export function failure(site: SiteView, { status, message, request_id }: FailureView): Html {
  const title = titles[status] ?? 'Something went wrong'
  return layout(site, {
    title,
    description: '',
    isIndexed: false,
    body: html`<div class="wide"><div class="intro">
<p class="kind">${status}</p><h1>${title}</h1>
<p class="lead">${status === 404 ? 'The address may be mistyped, or what was here is gone.' : message}</p>
<p><a href="${site.path('/')}">Go to the first page</a>${site.hasSearch && html` or <a href="${site.path('/search')}">search</a>`}.</p>
${status >= 500 && html`<p class="facts">Request ${request_id}</p>`}
</div></div>`
  })
}
