import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/** Markdown of an HTML text, and what of it has no place there. */
export interface Converted {
  markdown: string
  /** Names of elements that became a link, or were left out; of cards of Ghost too. */
  elements: string[]
}

/** A node with those that it is in. */
interface InnerNode {
  nodeName: string
  parentNode: InnerNode | null
}

/** As much of an element as the rules ask for. */
interface Element extends InnerNode {
  getAttribute(name: string): string | null
  querySelector(selector: string): Element | null
}

/** Elements that load another page: readers get a link. */
const embedded = ['iframe', 'video', 'audio', 'embed', 'object'] as const
/** Elements that do nothing in a text. */
const removed = ['script', 'style', 'noscript', 'form', 'button', 'input', 'textarea', 'select', 'canvas'] as const

/** Elements that markdown has no form for, and that posts may have as they are. */
const htmlTags = ['sub', 'sup', 'kbd', 'mark', 'ins', 'small', 'abbr', 'q', 'cite', 'dl', 'details'] as const

/** Runs in a child process: of HTML from anybody no time and no memory is known. */
export function htmlToMarkdown(html: string): Converted {
  const elements = new Set<string>()
  const service = createService(elements)
  return { markdown: service.turndown(withLineEnds(html)).trim(), elements: [...elements].sort() }
}

/** Code and what is preformatted has its lines where `br` ends them, too. Markdown has no such element there. */
const withLineEnds = (html: string): string =>
  html.replace(/<(pre|code)(?=[\s>])[\s\S]*?<\/\1>/gi, (block, name: string) =>
    block.replace(/^pre$/i.test(name) ? /<br\s*\/?>/gi : /<br\s*\/?>\n?/gi, '\n')
  )

function createService(elements: Set<string>): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    preformattedCode: true
  })
  service.use(gfm)
  addInlineRules(service)
  service.addRule('embedded', {
    filter: [...embedded],
    replacement: (_, node) => {
      elements.add(node.nodeName.toLowerCase())
      const address = addressOf(node)
      return address === null ? '' : `\n\n<${address}>\n\n`
    }
  })
  service.addRule('blockLink', {
    filter: node => node.nodeName === 'A' && node.querySelector('div,p,figure,h1,h2,h3,h4,h5,h6') != null,
    replacement: (content, node) => linkOn(content.replace(/\s+/g, ' ').trim(), node.getAttribute('href'))
  })
  service.addRule('plainPre', {
    filter: node => node.nodeName === 'PRE' && node.querySelector('code') == null,
    replacement: (_, node) => fenced(node.textContent ?? '')
  })
  service.keep([...htmlTags])
  service.addRule('markdown', {
    filter: node => node.nodeName === 'PRE' && node.getAttribute('data-markdown') != null,
    replacement: (_, node) => `\n\n${node.textContent ?? ''}\n\n`
  })
  service.addRule('unknownCard', {
    filter: node => node.nodeName === 'P' && node.getAttribute('data-unknown-card') != null,
    replacement: (_, node) => {
      elements.add(`card ${(node.textContent ?? '').slice(0, 50)}`)
      return ''
    }
  })
  service.addRule('removed', {
    filter: node => {
      const name = node.nodeName.toLowerCase()
      const isRemoved = removed.some(each => each === name) && !isTaskBox(node)
      if (isRemoved) elements.add(name)
      return isRemoved
    },
    replacement: () => ''
  })
  return service
}

/** Bare addresses, code of some lines, emphasis within emphasis, and footnotes. */
function addInlineRules(service: TurndownService): void {
  const escapeMarkdown = service.escape.bind(service)
  // Turndown leaves what markdown reads as a tag, a reference, a list or struck out.
  const escapeText = (text: string) =>
    (strikes.test(text) ? text.split('~') : [text])
      .map(escapeMarkdown)
      .join('\\~')
      .replace(markupStart, '\\$&')
      .replace(listNumber, '$1\\$2')
  service.escape = text => linkAddresses(text, escapeText)
  service.addRule('link', {
    filter: node => node.nodeName === 'A' && node.getAttribute('href') != null,
    replacement: (content, node) => {
      const text = content.replace(autolink, (_, address: string) => escapeText(address))
      const title = node.getAttribute('title')?.replaceAll('"', '\\"').replace(/\s+/g, ' ')
      const address = node
        .getAttribute('href')
        ?.replace(/[<>\s]/g, encodeURIComponent)
        .replace(/[()]/g, '\\$&')
      return `[${text}](${address}${title ? ` "${title}"` : ''})`
    }
  })
  service.addRule('codeLines', {
    filter: node =>
      node.nodeName === 'CODE' &&
      (node.textContent ?? '').trim().includes('\n') &&
      !isWithin(node, ['PRE', 'TABLE', 'A', 'H1', 'H2', 'H3']),
    replacement: (_, node) => fenced((node.textContent ?? '').replace(/^\n/, ''))
  })
  for (const names of [
    ['STRONG', 'B'],
    ['EM', 'I']
  ])
    service.addRule(`within ${names}`, {
      filter: node => names.includes(node.nodeName) && isWithin(node, names),
      replacement: content => content
    })
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

/** Two tildes, the other one of which may be in another text. */
const strikes = /~.*~|^~|~$/s
/** Of a tag, which may go on in the next text, or of a character reference. */
const markupStart = /<(?=[a-z/!?]|$)|&(?=#?\w{1,32};)/gi
const listNumber = /^(\d{1,9})([.)])(?=\s|$)/

/** An address in a text, without the punctuation behind it. */
const address = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g
const autolink = /<(https?:\/\/[^\s<>]+)>/g

/** Markdown takes what follows at once for a part of the address, but for these. */
const endOfAddress = /^[.,:!?)]*(?:\s|$)/
const maxEndLength = 10

/** Escaped, an address leads somewhere else: one that needs it becomes a link. */
function linkAddresses(text: string, escapeText: (text: string) => string): string {
  let end = 0
  const parts: string[] = []
  for (const { 0: found, index } of text.matchAll(address)) {
    parts.push(escapeText(text.slice(end, index)))
    end = index + found.length
    parts.push(
      escapeText(found) === found && endOfAddress.test(text.slice(end, end + maxEndLength)) ? found : `<${found}>`
    )
  }
  return [...parts, escapeText(text.slice(end))].join('')
}

function isWithin(node: InnerNode, names: readonly string[]): boolean {
  for (let outer = node.parentNode; outer !== null; outer = outer.parentNode)
    if (names.includes(outer.nodeName)) return true
  return false
}

/** The number of a note that an importer marked. */
function footnoteOf(node: Element, attribute: string): string | null {
  const number = node.getAttribute(attribute)
  return number !== null && /^\d{1,4}$/.test(number) ? number : null
}

/** The box of a task list, which markdown has. */
const isTaskBox = (node: Element): boolean =>
  node.getAttribute('type') === 'checkbox' && node.parentNode?.nodeName === 'LI'

function addressOf(node: Element): string | null {
  const source = node.getAttribute('src') ?? node.getAttribute('data') ?? sourceIn(node)
  const address = source?.startsWith('//') ? `https:${source}` : source
  return address != null && /^https?:\/\/[^\s<>]+$/.test(address) ? address : null
}

/** A card that is a link as a whole: a link of markdown stands in one paragraph. */
const linkOn = (content: string, address: string | null): string =>
  address === null || /[\s<>()]/.test(address) ? content : `\n\n[${content}](${address})\n\n`

/** A block of code, in a fence that its text does not have. */
function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}\n${code.replace(/\n$/, '')}\n${fence}\n\n`
}

const sourceIn = (node: Element): string | null => node.querySelector('source')?.getAttribute('src') ?? null
