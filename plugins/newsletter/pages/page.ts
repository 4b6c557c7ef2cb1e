import { createHash } from 'node:crypto'
import { escapeHtml } from '#text/html-entities'
import type { Locale } from '../texts/read-texts.ts'
import { captchaScriptPath } from './captcha-script.ts'

const style = `
:root { color-scheme: light dark; --ink: #1c1b19; --soft: #6b675f; --paper: #fdfcf9; --line: #8a857a; --link: #1f5fa8; --on-link: #fff }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8e5de; --soft: #a19c91; --paper: #1a1917; --line: #6f6a60; --link: #8ab8ee; --on-link: #1a1917 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.6 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
label { display: block; margin: 1rem 0 .25rem }
input[type=email] { width: 100%; min-height: 44px; padding: .5rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px }
button { min-height: 44px; margin-top: 1rem; padding: .5rem 1.25rem; font: inherit; color: var(--on-link); background: var(--link); border: 0; border-radius: 6px; cursor: pointer }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
a { color: var(--link) }
[role=status] { color: var(--soft) }
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = (script: string): string =>
  `default-src 'none'; style-src ${hashOf(style)}; ${script}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** A token in the address goes nowhere. */
const headers = {
  'cache-control': 'no-store',
  // Not `no-referrer`: a browser would send `Origin: null` with the form.
  'referrer-policy': 'same-origin'
}

/** Of a page that runs nothing. */
export const readerPageHeaders = { ...headers, 'content-security-policy': policy('') }
/** Of the page that solves a challenge, and nothing else. */
export const captchaHeaders = {
  ...headers,
  'content-security-policy': policy("script-src 'self'; connect-src 'self'; ")
}

interface ReaderPage {
  locale: Locale
  title: string
  /** HTML. */
  body: string
  /** Whether the page runs the script that solves a challenge. It lies at `/subscribe`. */
  hasCaptcha?: boolean
}

/** A page of the newsletter for readers. */
export const page = ({ locale, title, body, hasCaptcha = false }: ReaderPage): string => `<!doctype html>
<html lang="${locale.language}" dir="${locale.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
${hasCaptcha ? `<script src="${captchaScriptPath.slice(1)}" defer></script>\n` : ''}</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
