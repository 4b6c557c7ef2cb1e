import { html, type PageFragment, type SiteView } from '#plugins/site'

const scriptPlace = '/api/analytics/view.js'

/**
 * What pages of posts run: a view is sent once, when the page is seen. A page that is made ahead or opened in the background
 * waits until somebody looks.
 */
export const beaconScript = `
{
  const { src, dataset: { slug } } = document.currentScript
  const send = () => {
    if (document.prerendering || document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', send)
    document.removeEventListener('prerenderingchange', send)
    const referrer = document.referrer.slice(0, 2000)
    fetch(new URL('view', src), {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ slug, referrer })
    }).catch(() => {})
  }
  document.addEventListener('visibilitychange', send)
  document.addEventListener('prerenderingchange', send)
  send()
}
`.trim()

/** Counts views of the pages of posts: by a script, and by an image where none runs. */
export const viewFragment = (isOn: () => boolean): PageFragment => ({
  pages: ['post'],
  place: 'end',
  html: (site, slug) => (isOn() && slug !== null ? beacon(site, slug) : null)
})

const beacon = (site: SiteView, slug: string) =>
  html`<script defer src="${site.path(scriptPlace)}" data-slug="${slug}"></script>
<noscript><img src="${site.path(`/api/analytics/view.gif?slug=${slug}`)}" alt="" width="1" height="1"></noscript>`
