import type TurndownService from 'turndown'
import { addEmphasis, endsParagraph } from './emphasis.ts'
import { fenced } from './fenced.ts'
import { charBeside, type InlineElement, isWithin, retainedInline } from './inline-nodes.ts'
import { createTextToMarkdown } from './text-to-markdown.ts'

/** Text, links, emphasis, code and footnotes. */
export function addInlineRules(service: TurndownService): void {
  const { toMarkdown, toLinkText } = createTextToMarkdown(service.escape.bind(service))
  service.escape = toMarkdown
  addEmphasis(service)
  service.addRule('retained', {
    filter: node => retainedInline.includes(node.nodeName),
    replacement: (content, node) => {
      const name = node.nodeName.toLowerCase()
      if (endsParagraph.test(content)) return content
      return `<${name}${titleAttribute(node.getAttribute('title'))}>${content}</${name}>`
    }
  })
  service.addRule('link', {
    filter: node => node.nodeName === 'A' && node.getAttribute('href') != null,
    replacement: (content, node) =>
      linkOf(
        content.replace(autolink, (_, address: string) => toLinkText(address)),
        node
      )
  })
  service.addRule('code', {
    filter: node => node.nodeName === 'CODE' && (node.parentNode?.nodeName !== 'PRE' || hasSiblings(node)),
    // Markdown has no picture within code.
    replacement: (content, node) => (node.querySelector('img') == null ? codeOf(node, toMarkdown) : content)
  })
  service.addRule('codeLines', {
    filter: node =>
      node.nodeName === 'CODE' &&
      (node.textContent ?? '').trim().includes('\n') &&
      !isWithin(node, ['PRE', 'TABLE', 'A', 'H1', 'H2', 'H3']),
    replacement: (_, node) => fenced((node.textContent ?? '').replace(/^\n/, ''))
  })
  addFootnotes(service)
}

function addFootnotes(service: TurndownService): void {
  service.addRule('footnoteMark', {
    filter: node => node.nodeName === 'SPAN' && footnoteOf(node, 'data-footnote') !== null,
    replacement: (_, node) => `[^${footnoteOf(node, 'data-footnote')}]`
  })
  service.addRule('footnote', {
    filter: node => node.nodeName === 'DIV' && footnoteOf(node, 'data-footnote-text') !== null,
    replacement: (content, node) =>
      `\n\n[^${footnoteOf(node, 'data-footnote-text')}]: ${content.replace(/\s+/g, ' ').trim()}\n\n`
  })
}

const autolink = /<(https?:\/\/[^\s<>]+)>/g

function linkOf(text: string, node: InlineElement): string {
  const href = (node.getAttribute('href') ?? '').replace(/[<>\s]/g, encodeURIComponent)
  const title = node.getAttribute('title')
  // Behind this mark it would be a picture.
  if (charBeside(node, 'previousSibling') === '!')
    return `<a href="${attributeText(href)}"${titleAttribute(title)}>${text}</a>`
  const quoted = title?.replaceAll('"', '\\"').replace(/\s+/g, ' ')
  // A footnote is called so.
  return `[${text.replace(/^\^/, '\\^')}](${href.replace(/[()]/g, '\\$&')}${quoted ? ` "${quoted}"` : ''})`
}

/** Markdown has no element within code. One that is a link as a whole stays one. */
function codeOf(node: InlineElement, toMarkdown: (text: string) => string): string {
  const text = (node.textContent ?? '').replace(/\r?\n|\r/g, ' ')
  if (text.trim() === '') return text
  const link = node.querySelector('a[href]')
  if (link != null && link.textContent === node.textContent) return linkOf(marked(text), link)
  // Marks that touch each other would be one.
  return charBeside(node, 'previousSibling') === '`' ? `<code>${toMarkdown(text)}</code>` : marked(text)
}

function marked(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map(ticks => ticks.length))
  const mark = '`'.repeat(longest + 1)
  const room = /^`|`$|^ .*[^ ].* $/.test(code) ? ' ' : ''
  return `${mark}${room}${code}${room}${mark}`
}

const hasSiblings = ({ previousSibling, nextSibling }: InlineElement): boolean =>
  previousSibling !== null || nextSibling !== null

const titleAttribute = (title: string | null): string => (title === null ? '' : ` title="${attributeText(title)}"`)

const attributeText = (text: string): string =>
  text.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The number of a note that an importer marked. */
function footnoteOf(node: InlineElement, attribute: string): string | null {
  const number = node.getAttribute(attribute)
  return number !== null && /^\d{1,4}$/.test(number) ? number : null
}
