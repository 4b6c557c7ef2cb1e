import { type Html, html, type SiteView } from '../theme-primitives.ts'

interface SharedPage {
  title: string
  description: string
  /** Absolute, like `image`. */
  url: string
  image?: string | null
  article?: { published_at: string | null; updated_at: string; author: string | null; tags: readonly string[] }
}

/** What other sites and messengers show of a page. */
export function openGraph(site: SiteView, { title, description, url, image = null, article }: SharedPage): Html {
  return html`<meta property="og:site_name" content="${site.title}">
<meta property="og:type" content="${article === undefined ? 'website' : 'article'}">
<meta property="og:title" content="${title}">
${description !== '' && html`<meta property="og:description" content="${description}">`}
<meta property="og:url" content="${url}">
${image !== null && html`<meta property="og:image" content="${image}">`}
<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">
${article !== undefined && articleOf(article)}`
}

const articleOf = ({ published_at, updated_at, author, tags }: NonNullable<SharedPage['article']>): Html =>
  html`${published_at !== null && html`<meta property="article:published_time" content="${published_at}">`}
<meta property="article:modified_time" content="${updated_at}">
${author !== null && html`<meta name="author" content="${author}">`}
${tags.map(tag => html`<meta property="article:tag" content="${tag}">`)}`
