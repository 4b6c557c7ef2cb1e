import {
  type HomeView,
  type Html,
  html,
  jsonLd,
  type LabelView,
  type ListView,
  type SiteView
} from '../theme-primitives.ts'
import { openGraph } from './head.ts'
import { layout, named } from './layout.ts'
import { entry, languageOf, pagination, partAddress, partTitle, time } from './partials.ts'

const nothingYet = ({ text }: SiteView): Html => html`<p class="none">${text('noPosts')}</p>`

export function home(site: SiteView, { part, categories }: HomeView): Html {
  const canonical = partAddress(site, part)
  const isFirstPage = part.page === 1
  const { title, description, home: url, language: inLanguage, text } = site
  return layout(site, {
    ...(isFirstPage ? {} : { title: text('page', { page: part.page }) }),
    description,
    canonical,
    current: site.path('/'),
    head: html`${openGraph(site, { title, description, url: canonical })}
${isFirstPage && jsonLd({ '@context': 'https://schema.org', '@type': 'WebSite', name: title, description, url, inLanguage })}`,
    body: html`<div class="wide">
<div class="intro"><h1>${named(title)}</h1>${description !== '' && html`<p class="lead">${description}</p>`}
${categories.length > 0 && html`<nav aria-label="${text('categories')}"><ul class="labels">${categories.map(({ slug, name }) => html`<li><a href="${site.path(`/categories/${slug}`)}">${named(name)}</a></li>`)}</ul></nav>`}</div>
${part.posts.length === 0 && nothingYet(site)}
<div class="entries">${part.posts.map((post, at) => entry(site, post, { isFirst: isFirstPage && at === 0 }))}</div>
${pagination(site, part)}
</div>`
  })
}

export function label(site: SiteView, { kind, slug, name, description, part }: LabelView): Html {
  const { text } = site
  const canonical = partAddress(site, part)
  const title = partTitle(site, name, part)
  const isTag = kind === 'tag'
  const about =
    description === '' ? text(isTag ? 'tagAbout' : 'categoryAbout', { name, site: site.title }) : description
  return layout(site, {
    title,
    description: about,
    canonical,
    feed: { path: `/${isTag ? 'tags' : 'categories'}/${slug}`, title: name },
    head: openGraph(site, { title, description: about, url: canonical }),
    body: html`<div class="wide">
<div class="intro"><p class="kind">${text(kind)}</p><h1>${named(name)}</h1>${description !== '' && html`<p class="lead">${description}</p>`}
<p class="facts">${text('posts', { count: part.total })}</p></div>
<div class="entries">${part.posts.map(post => entry(site, post))}</div>
${pagination(site, part)}
</div>`
  })
}

export function archive(site: SiteView, { part }: ListView): Html {
  const { text } = site
  const canonical = partAddress(site, part)
  const title = partTitle(site, text('archive'), part)
  const months = Map.groupBy(part.posts, ({ published_at }) => site.month(published_at ?? ''))
  return layout(site, {
    title,
    description: text('archiveAbout', { site: site.title }),
    canonical,
    current: site.path('/archive'),
    head: openGraph(site, { title, description: '', url: canonical }),
    body: html`<div class="wide"><div class="intro"><h1>${text('archive')}</h1><p class="facts">${text('posts', { count: part.total })}</p></div>
${part.posts.length === 0 && nothingYet(site)}
${[...months].map(
  ([month, posts]) => html`<section class="month"><h2>${month}</h2><ul>
${posts.map(
  post => html`<li>${time(site, post.published_at ?? '')} <a href="${site.path(`/posts/${post.slug}`)}" ${languageOf(post)}>${post.title}</a></li>
`
)}</ul></section>`
)}
${pagination(site, part)}</div>`
  })
}
