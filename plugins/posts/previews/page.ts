import { createHash } from 'node:crypto'
import { escapeHtml } from '#text/html-entities'
import type { Post } from '../reads/representation.ts'

const style = `
:root { color-scheme: light dark; --ink: #1c1b19; --soft: #6b675f; --paper: #fdfcf9; --line: #e4e0d6; --link: #1f5fa8 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8e5de; --soft: #a19c91; --paper: #1a1917; --line: #38352f; --link: #8ab8ee } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.65 Georgia, 'Times New Roman', serif }
.notice { font: 0.875rem/1.5 system-ui, sans-serif; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); color: var(--soft) }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem 6rem; overflow-wrap: break-word }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; margin: 2.2em 0 0.6em }
h1 { font-size: 2.4rem; margin: 0 0 0.4em }
h2 { font-size: 1.5rem } h3 { font-size: 1.2rem }
.lead { font-size: 1.25rem; color: var(--soft); margin: 0 0 1rem }
.facts { font: 0.875rem/1.5 system-ui, sans-serif; color: var(--soft); margin: 0 0 2.5rem; padding-bottom: 1.5rem; border-bottom: 1px solid var(--line) }
a { color: var(--link) }
img { max-width: 100%; height: auto }
blockquote { margin: 1.5em 0; padding-left: 1.2em; border-left: 3px solid var(--line); color: var(--soft) }
code { font: 0.88em ui-monospace, Menlo, Consolas, monospace }
pre { overflow-x: auto; padding: 1em; border: 1px solid var(--line); border-radius: 6px; line-height: 1.5 }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: 0.4em 0.8em; border: 1px solid var(--line); text-align: left }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing runs, nothing is loaded but pictures; the token in the address goes nowhere. */
export const previewHeaders = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self' https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** The post as a page for visual checks. `content_html` is sanitised when it is stored; everything else is escaped here. */
export function previewPage(post: Post): string {
  const title = escapeHtml(post.title)
  const lead = post.excerpt === null ? '' : `<p class="lead">${escapeHtml(post.excerpt)}</p>\n`
  const facts = [post.category, ...post.tags, `${post.word_count} words`, `${post.reading_minutes} min read`]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} (preview)</title>
<style>${style}</style>
</head>
<body>
<div class="notice">Preview of a post that is ${escapeHtml(post.status.replaceAll('_', ' '))}</div>
<main lang="${escapeHtml(post.language)}" dir="auto">
<h1>${title}</h1>
${lead}<p class="facts">${facts
    .filter(fact => fact !== null)
    .map(fact => `<bdi>${escapeHtml(fact)}</bdi>`)
    .join(' · ')}</p>
${picture(post.featured_image_url)}${post.content_html}
</main>
</body>
</html>
`
}

function picture(url: string | null): string {
  return url === null ? '' : `<p><img src="${escapeHtml(url)}" alt=""></p>\n`
}
