import { type Html, html, type ListedPost, type ListView, type SiteView } from '../theme-primitives.ts'
import { openGraph } from './head.ts'
import { layout, ofSite } from './layout.ts'
import { languageOf, pagination, partAddress, partTitle, readingTime, time } from './partials.ts'

/** Every episode with its player. */
export function podcast(site: SiteView, { part }: ListView): Html {
  const { text } = site
  const canonical = partAddress(site, part)
  const title = partTitle(site, text('podcast'), part)
  const description = text('podcastAbout', { site: site.title })
  return layout(site, {
    title,
    description,
    canonical,
    current: site.path('/podcast'),
    head: openGraph(site, { title, description, url: canonical }),
    body: html`<div class="wide"><div class="intro"><h1>${text('podcast')}</h1>
<p class="facts"><span>${text('episodes', { count: part.total })}</span> <a href="${site.path('/podcast.xml')}">${text('podcastApps')}</a></p></div>
${part.posts.length === 0 && html`<p class="none">${text('noEpisodes')}</p>`}
<div class="entries">${part.posts.map(post => episode(site, post))}</div>
${pagination(site, part)}</div>`
  })
}

const episode = (site: SiteView, post: ListedPost): Html => html`<article class="entry" ${languageOf(post)}><div>
<h2><a href="${site.path(`/posts/${post.slug}`)}">${post.title}</a></h2>
${post.excerpt !== null && html`<p>${post.excerpt}</p>`}
${post.media.podcast_url !== null && html`<audio controls preload="none" src="${site.link(post.media.podcast_url)}" aria-label="${post.title}"></audio>`}
<p class="facts"${ofSite(site, post.language)}>${post.published_at !== null && time(site, post.published_at)} ${readingTime(site, post)}</p>
</div></article>
`
