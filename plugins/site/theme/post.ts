import type { PostLink } from '#plugins/posts'
import { type Html, html } from '../html/html.ts'
import { jsonLd } from '../html/json-ld.ts'
import type { PostView, SiteView } from '../views.ts'
import { openGraph } from './head.ts'
import { layout } from './layout.ts'
import { cover, entry, readingTime, time } from './parts.ts'

/** The page of a post. */
export function post(site: SiteView, view: PostView): Html {
  const { post, url } = view
  const title = post.seo_title ?? post.title
  const description = post.seo_description ?? post.excerpt ?? ''
  const image = post.featured_image_url === null ? null : site.absolute(site.link(post.featured_image_url))
  const { published_at, updated_at, author, tags } = post
  return layout(site, {
    title,
    description,
    canonical: url,
    language: post.language,
    head: html`${openGraph(site, { title, description, url, image, article: { published_at, updated_at, author, tags } })}
${jsonLd(blogPosting(site, view, image))}
${jsonLd(breadcrumbs(site, view))}`,
    body: html`<article class="post">
${headerOf(site, view)}
<div class="text">${view.text}</div>
${footerOf(site, view)}
</article>
${othersOf(site, view)}`
  })
}

function headerOf(site: SiteView, { post, category, lead, audio, video }: PostView): Html {
  const picture = cover(site, post, true)
  return html`<header>
${category !== null && html`<p class="kind"><a href="${site.path(`/categories/${category.slug}`)}">${category.name}</a></p>`}
<h1>${post.title}</h1>
${lead !== null && html`<p class="lead">${lead}</p>`}
<p class="facts">${post.author !== null && html`<span>${post.author}</span>`} ${post.published_at !== null && time(site, post.published_at)} ${readingTime(post)}</p>
${picture !== null && html`<figure class="cover">${picture}</figure>`}
${listen({ audio, video })}
</header>`
}

/** The text of the page is their transcript. */
function listen({ audio, video }: Pick<PostView, 'audio' | 'video'>): Html | null {
  if (audio === null && video === null) return null
  return html`<section class="listen" aria-label="Listen to this post">
${audio !== null && html`<p>Listen to this post</p><audio controls preload="none" src="${audio}"></audio>`}
${video !== null && html`<p class="facts"><a href="${video}">Watch it as a video</a></p>`}
</section>`
}

const footerOf = (site: SiteView, { tags, previous, next }: PostView): Html => html`<footer>
${tags.length > 0 && html`<nav aria-label="Tags"><ul class="labels">${tags.map(({ slug, name }) => html`<li><a rel="tag" href="${site.path(`/tags/${slug}`)}">${name}</a></li>`)}</ul></nav>`}
${(previous !== null || next !== null) && html`<nav class="neighbours" aria-label="Posts before and after">${neighbour(site, previous, 'prev')}${neighbour(site, next, 'next')}</nav>`}
</footer>`

function neighbour(site: SiteView, link: PostLink | null, rel: 'prev' | 'next'): Html | null {
  if (link === null) return null
  const label = rel === 'prev' ? 'Previous post' : 'Next post'
  return html`<a class="${rel}" rel="${rel}" href="${site.path(`/posts/${link.slug}`)}"><span>${label}</span> <bdi>${link.title}</bdi></a>`
}

function othersOf(site: SiteView, { related }: PostView): Html | null {
  if (related.length === 0) return null
  return html`<aside class="related" aria-labelledby="related"><div class="wide">
<h2 class="kind" id="related">Related posts</h2>
<div class="entries">${related.map(each => entry(site, each, { level: 3 }))}</div></div></aside>`
}

/** https://schema.org/BlogPosting */
function blogPosting(site: SiteView, { post, category, url }: PostView, image: string | null) {
  return {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.excerpt ?? undefined,
    image: image ?? undefined,
    datePublished: post.published_at,
    dateModified: post.updated_at,
    author: post.author === null ? undefined : { '@type': 'Person', name: post.author },
    publisher: { '@type': 'Organization', name: site.title, url: site.home },
    mainEntityOfPage: url,
    inLanguage: post.language,
    wordCount: post.word_count,
    articleSection: category?.name,
    keywords: post.tags.length === 0 ? undefined : post.tags
  }
}

/** https://schema.org/BreadcrumbList */
function breadcrumbs(site: SiteView, { post, category, url }: PostView) {
  const places = [
    { name: site.title, item: site.home },
    ...(category === null
      ? []
      : [{ name: category.name, item: site.absolute(site.path(`/categories/${category.slug}`)) }]),
    { name: post.title, item: url }
  ]
  const itemListElement = places.map((place, at) => ({ '@type': 'ListItem', position: at + 1, ...place }))
  return { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement }
}
