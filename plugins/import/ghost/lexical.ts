import { escapeHtml } from '#text/html-entities'
import { gatedHtml } from './card-visibility.ts'
import { cardHtml } from './cards.ts'
import { isRow } from './records.ts'

type Node = Readonly<Record<string, unknown>>

/** What is nested deeper is left out. */
const maxDepth = 50

/** HTML of Ghost's editor, for a post that has none. Null for what is no such document. */
export function lexicalHtml(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const root = isRow(value) ? value.root : undefined
    return isRow(root) && Array.isArray(root.children) ? childrenHtml(root, 0, '\n') : null
  } catch {
    return null
  }
}

const childrenHtml = (node: Node, depth: number, between = ''): string =>
  (Array.isArray(node.children) ? node.children.filter(isRow) : [])
    .map(child => (depth > maxDepth ? '' : gatedHtml(String(child.type), child, nodeHtml(child, depth + 1))))
    .join(between)

function nodeHtml(node: Node, depth: number): string {
  const content = () => childrenHtml(node, depth)
  switch (node.type) {
    case 'text':
    case 'extended-text':
      return formatted(escapeHtml(String(node.text ?? '')), Number(node.format ?? 0))
    case 'linebreak':
      return '<br>'
    case 'paragraph':
      return `<p>${content()}</p>`
    case 'heading':
    case 'extended-heading': {
      const tag = /^h[1-6]$/.test(String(node.tag)) ? String(node.tag) : 'h2'
      return `<${tag}>${content()}</${tag}>`
    }
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote>${content()}</blockquote>`
    case 'list': {
      const tag = node.listType === 'number' ? 'ol' : 'ul'
      return `<${tag}>${content()}</${tag}>`
    }
    case 'listitem':
      return `<li>${content()}</li>`
    case 'link':
    case 'autolink':
      return `<a href="${escapeHtml(String(node.url ?? ''))}">${content()}</a>`
    default:
      return Array.isArray(node.children) ? content() : cardHtml(String(node.type), node)
  }
}

/** Lexical keeps the formats of a text in the bits of a number. */
const formats = ['strong', 'em', 's', 'u', 'code', 'sub', 'sup', 'mark'] as const

const formatted = (html: string, bits: number): string =>
  formats.reduce((inner, tag, bit) => ((bits & (1 << bit)) === 0 ? inner : `<${tag}>${inner}</${tag}>`), html)
