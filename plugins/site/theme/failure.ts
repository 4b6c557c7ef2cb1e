import { type FailureView, type Html, html, type SiteTexts, type SiteView } from '../theme-primitives.ts'
import { layout } from './layout.ts'

const titles: Readonly<Record<number, keyof SiteTexts>> = {
  400: 'badAddress',
  401: 'needsToken',
  403: 'notAllowed',
  404: 'notFound',
  405: 'notReadable',
  429: 'tooMany',
  503: 'unavailable'
}

/** What a reader sees where something failed. */
export function failure(site: SiteView, { status, message, request_id }: FailureView): Html {
  const { text } = site
  const title = text(titles[status] ?? 'wentWrong')
  return layout(site, {
    title,
    description: '',
    isIndexed: false,
    body: html`<div class="wide"><div class="intro">
<p class="kind">${status}</p><h1>${title}</h1>
${status === 404 ? html`<p class="lead">${text('notFoundAbout')}</p>` : html`<p class="lead" lang="en" dir="ltr">${message}</p>`}
<p class="actions"><a href="${site.path('/')}">${text('toHome')}</a>${site.hasSearch && html` <a href="${site.path('/search')}">${text('search')}</a>`}</p>
${status >= 500 && html`<p class="facts">${text('request', { id: request_id })}</p>`}
</div></div>`
  })
}
