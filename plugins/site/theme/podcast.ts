import { type Html, html } from '../html/html.ts'
import type { ListedPost, PartView, SiteView } from '../views.ts'
import { openGraph } from './head.ts'
import { layout } from './layout.ts'
import { languageOf, pagination, partAddress, partTitle, readingTime, time } from './parts.ts'

/** Every episode with its player. */
export function podcast(site: SiteView, { part }: { part: PartView }): Html {
  const canonical = partAddress(site, part)
  const title = partTitle('Podcast', part)
  const description = `Episodes of ${site.title}, to listen to`
  return layout(site, {
    title,
    description,
    canonical,
    current: site.path('/podcast'),
    head: openGraph(site, { title, description, url: canonical }),
    body: html`<div class="wide"><div class="intro"><h1>Podcast</h1>
<p class="facts">${part.total} ${part.total === 1 ? 'episode' : 'episodes'} <a href="${site.path('/podcast.xml')}">Feed for podcast apps</a></p></div>
${part.posts.length === 0 && html`<p class="none">There are no episodes yet.</p>`}
<div class="entries">${part.posts.map(post => episode(site, post))}</div>
${pagination(part)}</div>`
  })
}

const episode = (site: SiteView, post: ListedPost): Html => html`<article class="entry" ${languageOf(post)}><div>
<h2><a href="${site.path(`/posts/${post.slug}`)}">${post.title}</a></h2>
${post.excerpt !== null && html`<p>${post.excerpt}</p>`}
${post.media.podcast_url !== null && html`<audio controls preload="none" src="${site.link(post.media.podcast_url)}" aria-label="${post.title}"></audio>`}
<p class="facts">${post.published_at !== null && time(site, post.published_at)} ${readingTime(post)}</p>
</div></article>
`
