import { type Token, walkTokens } from 'marked'
import { readMarkdown } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'
import { findingOf, quote } from './faults.ts'

/** Links that are written right and lead somewhere harmless. */
export const links: BuiltInRail = {
  name: 'links',
  describe: 'Markdown links are well formed, have a text, and lead to http, https, mailto or a relative address.',
  mode: 'required',
  threshold: 100,
  weight: 0.5,
  check({ content }) {
    const faults: string[] = []
    walkTokens([...readMarkdown(content).tokens], token => {
      faults.push(...faultsOf(token))
    })
    return findingOf(faults, 50, 'All links are well formed.')
  }
}

function faultsOf(token: Token): string[] {
  if (token.type === 'link') return linkFaults(token.text, token.href, token.raw)
  if (token.type === 'image' || token.type === 'def') return addressFaults(token.href, token.raw)
  if (token.type === 'html') return htmlFaults(token.raw)
  const isText = token.type === 'text' && !('tokens' in token && token.tokens)
  return isText && /\]\(/.test(token.text) ? [`a link that is not well formed: ${quote(token.text)}`] : []
}

function linkFaults(text: string, href: string, raw: string): string[] {
  return text.trim() === '' ? [`a link without a text: ${quote(raw)}`] : addressFaults(href, raw)
}

function addressFaults(href: string, raw: string): string[] {
  if (href.trim() === '') return [`a link without an address: ${quote(raw)}`]
  // Browsers ignore control characters in a scheme, and decode character references before they look: so does this.
  const address = decodeAddress(href).replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return []
  if (!['http', 'https', 'mailto'].includes(scheme)) return [`a link to a ${scheme}: address: ${quote(raw)}`]
  return scheme === 'mailto' || URL.canParse(address) ? [] : [`a link to an address that is none: ${quote(raw)}`]
}

function htmlFaults(raw: string): string[] {
  const attribute = /\b(?:href|src|action|formaction|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
  return [...raw.matchAll(attribute)].flatMap(([, double, single, unquoted]) =>
    addressFaults(double ?? single ?? unquoted ?? '', raw)
  )
}

/** An address as a browser reads it, which takes numeric references without their semicolon, too. */
function decodeAddress(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, digits: string) => character(Number.parseInt(digits, 16)))
    .replace(/&#(\d{1,7});?/g, (_, digits: string) => character(Number(digits)))
    .replace(/&colon;/gi, ':')
    .replace(/&(?:tab|newline);/gi, '')
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
