import { type Html, html, jsonLd, type PostView, type SiteView } from '../theme-primitives.ts'
import { openGraph } from './head.ts'
import { layout, named, ofSite } from './layout.ts'
import { cover, entry, readingTime, time } from './partials.ts'

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
    hasScript: view.transcript !== null,
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

/** Characters from which on a title is set smaller. */
const longTitle = 80

function headerOf(site: SiteView, view: PostView): Html {
  const { post, category, lead } = view
  const picture = cover(site, post, 'post')
  return html`<header>
${category !== null && html`<p class="kind"><a href="${site.path(`/categories/${category.slug}`)}">${named(category.name)}</a></p>`}
<h1${post.title.length > longTitle && html` class="long"`}>${post.title}</h1>
${lead !== null && html`<p class="lead">${lead}</p>`}
<p class="facts"${ofSite(site, post.language)}>${post.author !== null && html`<span>${named(post.author)}</span>`} ${post.published_at !== null && time(site, post.published_at)} ${readingTime(site, post)}</p>
${picture !== null && html`<figure class="cover">${picture}</figure>`}
${listen(site, view)}
</header>`
}

/** The text of the page is their transcript. */
function listen(site: SiteView, { post, audio, video, transcript }: PostView): Html | null {
  if (audio === null && video === null) return null
  const { text } = site
  return html`<section class="listen" aria-label="${text('listen')}"${ofSite(site, post.language)}>
${audio !== null && html`<p>${text('listen')}</p><audio controls preload="none" src="${audio}"${transcript !== null && html` data-transcript="${transcript}"`}></audio>`}
${video !== null && html`<p class="facts"><a href="${video}">${text('watch')}</a></p>`}
</section>`
}

const footerOf = (
  site: SiteView,
  { post, tags, previous, next }: PostView
): Html => html`<footer${ofSite(site, post.language)}>
${tags.length > 0 && html`<nav aria-label="${site.text('tags')}"><ul class="labels">${tags.map(({ slug, name }) => html`<li><a rel="tag" href="${site.path(`/tags/${slug}`)}">${named(name)}</a></li>`)}</ul></nav>`}
${(previous !== null || next !== null) && html`<nav class="neighbours" aria-label="${site.text('neighbours')}">${neighbour(site, previous, 'prev')}${neighbour(site, next, 'next')}</nav>`}
</footer>`

function neighbour(site: SiteView, link: PostView['previous'], rel: 'prev' | 'next'): Html | null {
  if (link === null) return null
  const label = site.text(rel === 'prev' ? 'previousPost' : 'nextPost')
  return html`<a class="${rel}" rel="${rel}" href="${site.path(`/posts/${link.slug}`)}"><span>${label}</span> <bdi>${link.title}</bdi></a>`
}

function othersOf(site: SiteView, { post, related }: PostView): Html | null {
  if (related.length === 0) return null
  return html`<aside class="related" aria-labelledby="related"${ofSite(site, post.language)}><div class="wide">
<h2 class="kind" id="related">${site.text('related')}</h2>
<div class="entries">${related.map(each => entry(site, each, { level: 3, isRelated: true }))}</div></div></aside>`
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
  const crumbs = [
    { name: site.title, item: site.home },
    ...(category === null
      ? []
      : [{ name: category.name, item: site.absolute(site.path(`/categories/${category.slug}`)) }]),
    { name: post.title, item: url }
  ]
  const itemListElement = crumbs.map((place, at) => ({ '@type': 'ListItem', position: at + 1, ...place }))
  return { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement }
}
