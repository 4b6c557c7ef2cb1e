import { escapeHtml } from '#text/html-entities'
import { gatedHtml } from './card-visibility.ts'
import { cardHtml } from './cards.ts'
import { isRow } from './records.ts'

/** HTML of Ghost's former editor, for a post that has none. Null for what is no such document. */
export function mobiledocHtml(text: string): string | null {
  const document = parsed(text)
  if (document === null || !Array.isArray(document.sections)) return null
  return document.sections.map(section => sectionHtml(section, document)).join('\n')
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRow(value) ? value : null
  } catch {
    return null
  }
}

type Document = Readonly<Record<string, unknown>>

const listTags = /^(?:ul|ol)$/
const sectionTags = /^(?:p|h[1-6]|blockquote|aside)$/

/** A section: text (1), picture (2), list (3) or card (10). */
function sectionHtml(section: unknown, document: Document): string {
  const [kind, first, second] = asArray(section)
  if (kind === 1) return element(String(first), sectionTags, markersHtml(second, document))
  if (kind === 2) return `<img src="${escapeHtml(String(first))}" alt="">`
  if (kind === 3) {
    const items = asArray(second).map(item => `<li>${markersHtml(item, document)}</li>`)
    return element(String(first), listTags, items.join(''))
  }
  const [name, payload] = asArray(asArray(document.cards)[Number(first)])
  const card = isRow(payload) ? payload : {}
  return kind === 10 ? gatedHtml(String(name), card, cardHtml(String(name), card)) : ''
}

const element = (name: string, allowed: RegExp, content: string): string =>
  allowed.test(name) ? `<${name}>${content}</${name}>` : `<p>${content}</p>`

const markupTags = /^(?:a|b|code|del|em|i|s|strong|sub|sup|u)$/

/** A marker opens markups, has a text or an atom, and closes as many as it says. */
function markersHtml(markers: unknown, document: Document): string {
  const open: string[] = []
  const parts: string[] = []
  for (const marker of asArray(markers)) {
    const [kind, opened, closed, value] = asArray(marker)
    for (const index of asArray(opened)) {
      const [name, attributes] = asArray(asArray(document.markups)[Number(index)])
      const tag = markupTags.test(String(name)) ? String(name) : 'span'
      const [, href] = asArray(attributes)
      open.push(tag)
      parts.push(tag === 'a' ? `<a href="${escapeHtml(String(href ?? ''))}">` : `<${tag}>`)
    }
    // The one atom of Ghost is a soft line break.
    parts.push(kind === 1 ? '<br>' : escapeHtml(String(value ?? '')))
    for (const tag of open.splice(Math.max(open.length - Number(closed), 0)).reverse()) parts.push(`</${tag}>`)
  }
  return [...parts, ...open.reverse().map(tag => `</${tag}>`)].join('')
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
