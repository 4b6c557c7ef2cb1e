import { type Html, trusted } from './html.ts'

/** Ends a script or begins a comment in one, or ends a line in old JavaScript. */
const unsafe = /[<>&\u2028\u2029]/g

/** Linked data about a page, for search engines. Browsers do not run it. */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data).replace(unsafe, escaped)
  return trusted(`<script type="application/ld+json">${json}</script>`)
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
