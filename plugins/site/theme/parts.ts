import { type Html, html } from '../html/html.ts'
import type { ListedPost, PartView, SiteView } from '../views.ts'
import { directionOf } from './direction.ts'

/** The attributes of a text in another language than its surroundings. */
export const languageOf = ({ language }: { language: string }): Html =>
  html`lang="${language}" dir="${directionOf(language)}"`

export const time = (site: SiteView, iso: string): Html => html`<time datetime="${iso}">${site.date(iso)}</time>`

export const readingTime = ({ reading_minutes }: ListedPost): Html => html`<span>${reading_minutes} min read</span>`

/** The cover of a post; it says nothing that the title does not say. */
export function cover(site: SiteView, { featured_image_url: url }: ListedPost, isFirst = false): Html | null {
  if (url === null || !/^(https?:\/\/|\/)/i.test(url)) return null
  const loading = isFirst ? html`fetchpriority="high"` : html`loading="lazy"`
  return html`<img src="${site.link(url)}" alt="" width="1200" height="630" ${loading} decoding="async">`
}

export interface EntryOptions {
  /** Of its heading; default 2. */
  level?: 2 | 3
  /** Stands in the place of its excerpt. */
  snippet?: Html
  isFirst?: boolean
}

/** A post in a list. */
export function entry(
  site: SiteView,
  post: ListedPost,
  { level = 2, snippet, isFirst = false }: EntryOptions = {}
): Html {
  const text = snippet ?? post.excerpt
  const picture = cover(site, post, isFirst)
  return html`<article class="entry${isFirst && ' first'}${picture !== null && ' with-cover'}" ${languageOf(post)}>
${picture !== null && html`<a class="thumb" href="${site.path(`/posts/${post.slug}`)}" tabindex="-1" aria-hidden="true">${picture}</a>`}
<div>
<h${level}><a href="${site.path(`/posts/${post.slug}`)}">${post.title}</a></h${level}>
${text !== null && html`<p>${text}</p>`}
<p class="facts">${post.published_at !== null && time(site, post.published_at)} ${readingTime(post)}</p>
</div>
</article>
`
}

/** Ways to the other parts of a list; nothing where there is one part. */
export function pagination({ page, pages, urlOf }: PartView): Html | null {
  if (pages <= 1) return null
  return html`<nav class="pages" aria-label="Pages">
${page > 1 ? html`<a rel="prev" href="${urlOf(page - 1)}">← Newer</a>` : html`<span></span>`}
<span>Page ${page} of ${pages}</span>
${page < pages ? html`<a rel="next" href="${urlOf(page + 1)}">Older →</a>` : html`<span></span>`}
</nav>`
}

/** The canonical address of a part of a list, and its title. */
export const partAddress = (site: SiteView, { page, urlOf }: PartView): string => site.absolute(urlOf(page))
export const partTitle = (title: string, { page }: PartView): string => (page === 1 ? title : `${title}, page ${page}`)
