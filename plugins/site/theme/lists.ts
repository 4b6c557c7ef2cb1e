import { type Html, html } from '../html/html.ts'
import { jsonLd } from '../html/json-ld.ts'
import type { LabelView, PartView, SiteView } from '../views.ts'
import { openGraph } from './head.ts'
import { layout } from './layout.ts'
import { entry, languageOf, pagination, partAddress, partTitle, time } from './parts.ts'

const nothingYet = html`<p class="none">There are no posts yet.</p>`

export function home(
  site: SiteView,
  { part, categories }: { part: PartView; categories: readonly { slug: string; name: string }[] }
): Html {
  const canonical = partAddress(site, part)
  const isFirstPage = part.page === 1
  const { title, description, home: url, language: inLanguage } = site
  return layout(site, {
    ...(isFirstPage ? {} : { title: `Page ${part.page}` }),
    description,
    canonical,
    current: site.path('/'),
    head: html`${openGraph(site, { title, description, url: canonical })}
${isFirstPage && jsonLd({ '@context': 'https://schema.org', '@type': 'WebSite', name: title, description, url, inLanguage })}`,
    body: html`<div class="wide">
<div class="intro"><h1>${title}</h1>${description !== '' && html`<p class="lead">${description}</p>`}
${categories.length > 0 && html`<nav aria-label="Categories"><ul class="labels">${categories.map(({ slug, name }) => html`<li><a href="${site.path(`/categories/${slug}`)}">${name}</a></li>`)}</ul></nav>`}</div>
${part.posts.length === 0 && nothingYet}
<div class="entries">${part.posts.map((post, at) => entry(site, post, { isFirst: isFirstPage && at === 0 }))}</div>
${pagination(part)}
</div>`
  })
}

export function label(site: SiteView, { kind, slug, name, description, part }: LabelView): Html {
  const canonical = partAddress(site, part)
  const title = partTitle(name, part)
  const about = description === '' ? `${kind} ${name} of ${site.title}` : description
  return layout(site, {
    title,
    description: about,
    canonical,
    feed: { path: `/${kind === 'Tag' ? 'tags' : 'categories'}/${slug}`, title: name },
    head: openGraph(site, { title, description: about, url: canonical }),
    body: html`<div class="wide">
<div class="intro"><p class="kind">${kind}</p><h1>${name}</h1>${description !== '' && html`<p class="lead">${description}</p>`}
<p class="facts">${part.total} ${part.total === 1 ? 'post' : 'posts'}</p></div>
<div class="entries">${part.posts.map(post => entry(site, post))}</div>
${pagination(part)}
</div>`
  })
}

export function archive(site: SiteView, { part }: { part: PartView }): Html {
  const canonical = partAddress(site, part)
  const title = partTitle('Archive', part)
  const months = Map.groupBy(part.posts, ({ published_at }) => site.month(published_at ?? ''))
  return layout(site, {
    title,
    description: `All posts of ${site.title}, newest first`,
    canonical,
    current: site.path('/archive'),
    head: openGraph(site, { title, description: '', url: canonical }),
    body: html`<div class="wide"><div class="intro"><h1>Archive</h1><p class="facts">${part.total} ${part.total === 1 ? 'post' : 'posts'}</p></div>
${part.posts.length === 0 && nothingYet}
${[...months].map(
  ([month, posts]) => html`<section class="month"><h2>${month}</h2><ul>
${posts.map(
  post => html`<li>${time(site, post.published_at ?? '')} <a href="${site.path(`/posts/${post.slug}`)}" ${languageOf(post)}>${post.title}</a></li>
`
)}</ul></section>`
)}
${pagination(part)}</div>`
  })
}
