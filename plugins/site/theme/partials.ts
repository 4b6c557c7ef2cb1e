import {
  directionOf,
  type Html,
  html,
  type ListedPost,
  type PartView,
  type SiteView,
  srcsetOf
} from '../theme-primitives.ts'
import { ofSite } from './layout.ts'

/** The attributes of a text in another language than its surroundings. */
export const languageOf = ({ language }: { language: string }): Html =>
  html`lang="${language}" dir="${directionOf(language)}"`

export const time = (site: SiteView, iso: string): Html => html`<time datetime="${iso}">${site.date(iso)}</time>`

export const readingTime = ({ text }: SiteView, { reading_minutes }: ListedPost): Html =>
  html`<span>${text('readingTime', { count: reading_minutes })}</span>`

/** How wide covers are shown, for the choice among their forms. It follows the stylesheet. */
const coverWidths = {
  post: '(min-width: 60rem) 46rem, (min-width: 42rem) 39rem, 100vw',
  first: '(min-width: 58rem) 25rem, (min-width: 40rem) 45vw, 100vw',
  entry: '(min-width: 40rem) 13rem, 100vw',
  related: '(min-width: 48rem) 17rem, (min-width: 40rem) 13rem, 100vw'
}
type CoverPlace = keyof typeof coverWidths

/** The cover of a post; it says nothing that the title does not say. */
export function cover(site: SiteView, post: ListedPost, place: CoverPlace): Html | null {
  const { featured_image_url: url, picture } = post
  if (url === null || !/^(https?:\/\/|\/)/i.test(url)) return null
  const isFirst = place === 'post' || place === 'first'
  const loading = isFirst ? html`fetchpriority="high"` : html`loading="lazy"`
  const { width, height } = picture ?? { width: 1200, height: 630 }
  const srcset = picture ? srcsetOf(site.link(url), picture, site.link) : null
  const sources = srcset !== null && html` srcset="${srcset}" sizes="${isFirst ? '' : 'auto, '}${coverWidths[place]}"`
  return html`<img src="${site.link(url)}"${sources} alt="" width="${width}" height="${height}" ${loading} decoding="async">`
}

interface EntryOptions {
  /** Of its heading; default 2. */
  level?: 2 | 3
  /** Stands in the place of its excerpt. */
  snippet?: Html
  isFirst?: boolean
  isRelated?: boolean
}

/** A post in a list. */
export function entry(site: SiteView, post: ListedPost, options: EntryOptions = {}): Html {
  const { level = 2, snippet, isFirst = false, isRelated = false } = options
  const text = snippet ?? post.excerpt
  const picture = cover(site, post, isFirst ? 'first' : isRelated ? 'related' : 'entry')
  return html`<article class="entry${isFirst && ' first'}${picture !== null && ' with-cover'}" ${languageOf(post)}>
${picture !== null && html`<a class="thumb" href="${site.path(`/posts/${post.slug}`)}" tabindex="-1" aria-hidden="true">${picture}</a>`}
<div>
<h${level}><a href="${site.path(`/posts/${post.slug}`)}">${post.title}</a></h${level}>
${text !== null && html`<p>${text}</p>`}
<p class="facts"${ofSite(site, post.language)}>${post.published_at !== null && time(site, post.published_at)} ${readingTime(site, post)}</p>
</div>
</article>
`
}

/** Ways to the other parts of a list; nothing where there is one part. */
export function pagination(
  { text, direction }: SiteView,
  { page, pages, newer, older, others = [] }: Omit<PartView, 'posts'>
): Html | null {
  if (pages <= 1 && others.length > 0)
    return html`<nav aria-label="${text('pages')}"><ul class="labels">${others.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>`)}</ul></nav>`
  if (pages <= 1) return null
  const [back, forth] = direction === 'rtl' ? ['→', '←'] : ['←', '→']
  return html`<nav class="pages" aria-label="${text('pages')}">
${newer !== null ? html`<a rel="prev" href="${newer}"><span aria-hidden="true">${back} </span>${text('newer')}</a>` : html`<span></span>`}
<span>${text('pageOf', { page, pages })}</span>
${older !== null ? html`<a rel="next" href="${older}">${text('older')}<span aria-hidden="true"> ${forth}</span></a>` : html`<span></span>`}
</nav>`
}

/** The canonical address of a part of a list, and its title. */
export const partAddress = (site: SiteView, { url }: PartView): string => site.absolute(url)
export const partTitle = ({ text }: SiteView, title: string, { page }: PartView): string =>
  page === 1 ? title : text('titleOfPage', { title, page })
