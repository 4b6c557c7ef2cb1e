import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { fenced } from './fenced.ts'
import { withoutHiddenElements } from './hidden-elements.ts'
import { addInlineRules } from './inline-rules.ts'
import { addPictures, isCopy } from './pictures.ts'

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

/** Blocks that markdown has no form for, and that posts may have as they are. */
const retainedBlocks = ['dl', 'details'] as const

/** Runs in a child process: of HTML from anybody no time and no memory is known. */
export function htmlToMarkdown(html: string): Converted {
  const shown = withoutHiddenElements(html)
  const elements = new Set(shown.elements)
  const service = createService(elements)
  return { markdown: service.turndown(withLineEnds(withCaptions(shown.html))).trim(), elements: [...elements].sort() }
}

/** A table of markdown has no caption: it becomes the line above it. */
const withCaptions = (html: string): string =>
  html.replace(
    /(<table(?=[\s>])[^<>]*>)\s*<caption(?=[\s>])[^<>]*>((?:(?!<table)[\s\S])*?)<\/caption>/gi,
    '<p>$2</p>$1'
  )

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
  addPictures(service)
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
  service.keep([...retainedBlocks])
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
  // Of a whole document: readers never saw it in the text.
  service.addRule('title', { filter: node => node.nodeName === 'TITLE', replacement: () => '' })
  service.addRule('removed', {
    filter: node => {
      const name = node.nodeName.toLowerCase()
      const isRemoved = removed.some(each => each === name) && !isTaskBox(node)
      if (isRemoved && !isCopy(node)) elements.add(name)
      return isRemoved
    },
    replacement: () => ''
  })
  return service
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

const sourceIn = (node: Element): string | null => node.querySelector('source')?.getAttribute('src') ?? null
