// @ts-check
import { html, layout } from 'galley/plugins/site'

/**
 * The page of a post, without pictures of others.
 * @type {import('galley/plugins/site').Theme['post']}
 */
export const post = (site, { post, text, lead, url, audio, previous, next }) =>
  layout(site, {
    title: post.title,
    description: post.excerpt ?? '',
    canonical: url,
    language: post.language,
    body: html`<article class="post">
<header><h1>${post.title}</h1>
${lead !== null && html`<p class="lead">${lead}</p>`}
${audio !== null && html`<audio controls preload="none" src="${audio}" aria-label="${site.text('listen')}"></audio>`}
</header>
<div class="text">${text}</div>
<footer lang="${site.language}" dir="${site.direction}"><nav class="around" aria-label="${site.text('neighbours')}">
${previous !== null && html`<a rel="prev" href="${site.path(`/posts/${previous.slug}`)}"><bdi>${previous.title}</bdi></a>`}
${next !== null && html`<a rel="next" href="${site.path(`/posts/${next.slug}`)}"><bdi>${next.title}</bdi></a>`}
</nav></footer>
</article>`
  })
