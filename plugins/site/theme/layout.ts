import { directionOf, doctype, type Html, html, type MenuLink, type SiteView } from '../theme-primitives.ts'

/** One page within the frame that all pages share. */
export interface PageFrame {
  /** Of the document; the name of the site follows it. Absent on the home page. */
  title?: string
  description: string
  /** Absolute; absent where a page is not to be listed under an address. */
  canonical?: string
  /** BCP 47; default: the language of the site. */
  language?: string
  /** What only this page has in its head. */
  head?: Html
  /** False: search engines are not to list it. */
  isIndexed?: boolean
  /** Whether the theme's script does something here. */
  hasScript?: boolean
  /** Its own feeds, under its path. */
  feed?: { path: string; title: string }
  /** Of the entry of the menu that leads here. */
  current?: string
  body: Html
}

/** A whole document. */
export function layout(site: SiteView, page: PageFrame): Html {
  const language = page.language ?? site.language
  const { text, assets } = site
  const frame = ofSite(site, language)
  return html`${doctype}
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === undefined ? site.title : `${page.title} · ${site.title}`}</title>
${page.description !== '' && html`<meta name="description" content="${page.description}">`}
${(page.isIndexed === false || !site.isIndexed) && html`<meta name="robots" content="noindex">`}
${page.canonical !== undefined && html`<link rel="canonical" href="${page.canonical}">`}
<link rel="icon" href="${site.logo ?? assets.icon}">
<link rel="stylesheet" href="${assets.stylesheet}">
${page.hasScript === true && assets.script !== null && html`<script type="module" src="${assets.script}"></script>`}
${feedLinks(site, '', site.title)}
${page.feed !== undefined && feedLinks(site, page.feed.path, `${site.title}: ${page.feed.title}`)}
${site.hasPodcast && html`<link rel="alternate" type="application/rss+xml" title="${site.title}: ${text('podcast')}" href="${site.path('/podcast.xml')}">`}
${page.head}
</head>
<body>
<a class="skip" href="#content"${frame}>${text('skip')}</a>
<header class="top"${frame}><div class="wide">
<a class="brand" href="${site.path('/')}">${site.logo !== null && html`<img src="${site.logo}" alt="" height="32">`}${named(site.title)}</a>
<nav aria-label="${text('mainMenu')}">${menuOf(site.menu, page.current)}</nav>
</div></header>
<main id="content">
${page.body}
</main>
<footer class="bottom"${frame}><div class="wide">
<p>${named(site.title)}${site.description !== '' && html` <span>${site.description}</span>`}</p>
<nav aria-label="${text('moreMenu')}">${menuOf(site.footer)}</nav>
</div></footer>
</body>
</html>
`
}

/** A name that a person gave, in the direction of its own letters: "C++" on a page in Hebrew. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`

/** The attributes of what speaks the language of the site, within a text in `language`; none where that is the same. */
export const ofSite = (site: SiteView, language: string): Html | false =>
  language !== site.language && html` lang="${site.language}" dir="${site.direction}"`

const feedTypes = [
  ['feed.xml', 'application/rss+xml'],
  ['atom.xml', 'application/atom+xml'],
  ['feed.json', 'application/feed+json']
] as const

const feedLinks = (site: SiteView, path: string, title: string): Html =>
  html`${feedTypes
    .filter(([file]) => site.hasFeed(`${path}/${file}`))
    .map(
      ([
        file,
        type
      ]) => html`<link rel="alternate" type="${type}" title="${title}" href="${site.path(`${path}/${file}`)}">
`
    )}`

const menuOf = (links: readonly MenuLink[], current?: string): Html =>
  html`<ul>${links.map(({ label, url }) => html`<li><a href="${url}"${url === current && html` aria-current="page"`}>${named(label)}</a></li>`)}</ul>`
