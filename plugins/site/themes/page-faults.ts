import { Html } from '../html/html.ts'
import { hostileText, isInjected } from './samples.ts'

const maxPageLength = 4_194_304

/** What is wrong with a page that a template made, as the end of the sentence "the template …"; null for nothing. */
export function documentFault(made: unknown): string | null {
  if (!(made instanceof Html)) return 'gave something that is not made with html`…`'
  const text = made.toString()
  if (text.length > maxPageLength) return `gave more than ${maxPageLength} characters`
  const isDocument = /^\s*<!doctype html>/i.test(text) && /<\/html>\s*$/i.test(text)
  return isDocument ? null : 'gave no whole document, from <!doctype html> to </html>'
}

/** What is wrong with a page made of the samples. */
export function sampleFault(html: string, stylesheet: string): string | null {
  if (isInjected(html)) return `shows ${hostileText.slice(0, 16)}… as HTML, not as a text`
  if (!/<html[^>]*\slang="/.test(html)) return 'does not say its language in <html lang="…">'
  if (!html.includes(stylesheet)) return 'does not link site.assets.stylesheet'
  return null
}
