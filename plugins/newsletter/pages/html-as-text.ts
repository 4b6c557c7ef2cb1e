import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text'

/** Pictures by their text, and their address where it is not that of a link. */
const formatPicture: FormatCallback = ({ attribs, parent }, _, builder) => {
  const { alt = '', src = '' } = attribs
  if (alt !== '') builder.addInline(isInLink(parent) ? alt : `${alt} (${src})`)
}

const isInLink = (node: DomNode | null | undefined): boolean =>
  node?.name === 'a' || (node?.parent != null && isInLink(node.parent))

/** The number of a note, and powers: without a sign they would be another number. */
const formatRaised: FormatCallback = ({ attribs, children }, walk, builder) => {
  const isNote = attribs.class === 'ref'
  builder.addInline(isNote ? '[' : '^')
  walk(children, builder)
  if (isNote) builder.addInline(']')
}

/** Cells beside each other. Columns of one width would be cut on a telephone. */
const formatRow: FormatCallback = ({ children }, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  for (const [at, cell] of children.filter(({ type }) => type === 'tag').entries()) {
    if (at > 0) builder.addInline(' | ')
    walk(cell.children, builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

const formatRule: FormatCallback = (_element, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addInline('* * *')
  builder.closeBlock({ trailingLineBreaks: 2 })
}

/** In the place of an empty line of code, which stays. No text has it. */
const emptyLine = '\0'

const formatCode: FormatCallback = ({ children }, walk, builder) => {
  builder.openBlock({ isPre: true, leadingLineBreaks: 2 })
  walk(children, builder)
  builder.closeBlock({
    trailingLineBreaks: 2,
    blockTransform: code => code.replace(/(?<=\n)(?=[^\S\n]*\n)/g, emptyLine)
  })
}

const formatQuotation: FormatCallback = ({ children }, walk, builder) => {
  builder.addInline('"')
  walk(children, builder)
  builder.addInline('"')
}

/** The library has them in the line of what is around them. */
const paragraphs = ['dl', 'figure', 'details', 'section']
const blockLines = ['dt', 'dd', 'figcaption', 'summary', 'caption']

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 32 },
  formatters: {
    picture: formatPicture,
    raised: formatRaised,
    row: formatRow,
    rule: formatRule,
    code: formatCode,
    quotation: formatQuotation
  },
  selectors: [
    ...paragraphs.map(selector => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 2, trailingLineBreaks: 2 }
    })),
    ...blockLines.map(selector => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 }
    })),
    ...headings.map(selector => ({ selector, options: { uppercase: false, leadingLineBreaks: 2 } })),
    { selector: 'a', options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true } },
    { selector: 'a[href^="#"]', format: 'inline' },
    // The way back from a note leads nowhere in a mail.
    { selector: 'a[href^="#noteref"]', format: 'skip' },
    { selector: 'img', format: 'picture' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'pre', format: 'code' },
    { selector: 'table', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 }, format: 'block' },
    { selector: 'tr', format: 'row' },
    { selector: 'hr', format: 'rule' },
    { selector: 'sup', format: 'raised' },
    { selector: 'q', format: 'quotation' }
  ]
}

/** The text of sanitised HTML as a mail reader without HTML shows it: links with their address, lists with their marks. */
export async function htmlAsText(html: string): Promise<string> {
  const { convert } = await import('html-to-text')
  const text = withoutTrailingSpace(convert(html, options)).replace(/\n{3,}/g, '\n\n')
  return withoutTrailingSpace(text.replaceAll(emptyLine, ''))
}

const withoutTrailingSpace = (text: string) =>
  text
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
