// @ts-check
import { directionOf, html, layout, pagination } from 'galley/plugins/site'

/**
 * The first page: a line for each post.
 * @type {import('galley/plugins/site').Theme['home']}
 */
export const home = (site, { part }) =>
  layout(site, {
    description: site.description,
    canonical: site.absolute(part.url),
    current: site.path('/'),
    body: html`<div class="wide">
<div class="intro"><h1><bdi>${site.title}</bdi></h1><p class="facts">${site.text('newest')}</p></div>
${part.posts.length === 0 && html`<p class="none">${site.text('noPosts')}</p>`}
<ul class="column">${part.posts.map(post => line(site, post))}</ul>
${pagination(site, part)}
</div>`
  })

/**
 * What is put into html`…` is escaped: a title is a text, whatever is in it.
 * @param {import('galley/plugins/site').SiteView} site
 * @param {import('galley/plugins/site').ListedPost} post
 */
const line = (site, { slug, title, language, published_at }) => html`<li>
<a href="${site.path(`/posts/${slug}`)}" lang="${language}" dir="${directionOf(language)}">${title}</a>
${published_at !== null && html`<time datetime="${published_at}">${site.date(published_at)}</time>`}
</li>`
