import { withoutCode, withoutComments } from '#text/hidden-markdown'
import { hasHiddenElement } from '../conversion/hidden-elements.ts'
import { codeBlocks } from './code-blocks.ts'
import { withoutHeadingIds } from './heading-ids.ts'
import { withoutMdxComments } from './mdx-comments.ts'
import type { GeneratorLink } from './page-links.ts'
import { templateBlocks } from './template-blocks.ts'

/** A text without what its site generator would have replaced. */
export interface PlainText {
  text: string
  /** Some of it stays as it is: nobody knows what it stands for. */
  hasTags: boolean
  /** A part of it was shown to those who know a password. */
  isEncrypted: boolean
  /** A part of it stands in a block that may hide it. */
  hasHidingBlock: boolean
  /** A part of it stands in an element of HTML that no browser shows. */
  hasHiddenElement: boolean
  /** Some of it is a comment, where its generator takes it for one. */
  mayHaveComment: boolean
}

export interface TagOptions {
  /** Of the post. */
  title: string
  /** What stands for a link until its address is known. */
  linkTo(link: GeneratorLink): string
}

/** Turns what Hugo, Jekyll, Hexo and Astro would replace into markdown, outside of blocks of code. Runs in a child process. */
export function withoutTemplateTags(
  body: string,
  { isMdx, title, linkTo }: TagOptions & { isMdx: boolean }
): PlainText {
  const shown = withoutComments(replaceCodeTags(body.replace(/\r\n?/g, '\n')))
  const parts = codeAndText(isMdx ? withoutMdxComments(shown) : shown)
  const [first] = parts
  if (isMdx && first !== undefined && !first.isCode) first.text = first.text.replace(mdxModules, '')
  const prose = parts.filter(({ isCode }) => !isCode)
  for (const [index, text] of withoutHeadingIds(prose.map(part => part.text)).entries())
    Object.assign(prose[index] ?? {}, { text })
  const blocks = templateBlocks(parts.map(({ text }) => text).join(''), 'markdown')
  const tags = createTagCheck({ isHtml: false })
  const texts = parts.map(({ text, isCode }) =>
    isCode
      ? blocks.ofCode(text)
      : blocks.ofText(text, plain => tags.check(replaceTags(plain.replace(definedComment, ''), title, linkTo)))
  )
  const text = texts.join('').replace(shownTag, '{{$1 $2 $3}}')
  return { text, hasHiddenElement: hasHiddenElement(text), ...tags.found() }
}

/** As Hugo writes a shortcode that is shown and not called. */
const shownTag = /\{\{([<%])\s*\/\*\s?((?:[^{]|\{(?!\{)){0,2000}?)\s?\*\/\s*([>%])\}\}/g

/** A comment in the form of a link that nothing names: its title is shown nowhere. */
const definedComment =
  /^ {0,3}\[(?:\/\/|#|comments?)\]:[ \t]{1,20}(?:#|\/|<#?>)[ \t]{1,20}(?:\([^\n]*\)|"[^\n]*"|'[^\n]*')[ \t]*$/gim

/** Imports and exports, which begin the file: each begins a paragraph, and is no sentence with such a word. */
const mdxModules =
  /(?<=(?<![\s\S])|(?:(?<![\s\S])|\n)[ \t]{0,20}\n)(?:import\s{0,20}(?:["'{*]|type\s|[\w$]{1,200}\s{0,20}(?:,|\sfrom\s))|export\s{1,20}(?:[{*]|(?:default|const|let|var|async|function|class|type|interface)\s))[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*/g

/** Of Hugo and Hexo: a password stands beside what it protects. */
const encrypting = /(?:\{\{[<%]|\{%-?)\s*(?:[\w-]{1,40}-)?(?:encrypt(?:or|ed|ion)?|password|protected)(?![\w-])/i

/** Blocks whose text is shown where a condition is met, or kept for another place, what is left of nested comments, and shortcodes that are called like what they hide. */
const hidingBlock =
  /\{%[-+]?\s*(?:if|ifchanged|ifversion|unless|case|switch|capture|macro|(?:end)?comment|liquid)\b|\{\{~?[#^](?:if|unless|with)\b|(?:\{\{[<%]|\{%-?)\s*(?:private|hidden|hide|drafts?|secret|internal|members?(?:-?only)?|subscribers?(?:-?only)?|paywall|premium|todo|wip|unpublished)(?![\w-])/i

/** What is found in texts from which tags are taken. */
function createTagCheck({ isHtml }: { isHtml: boolean }) {
  const texts: string[] = []
  return {
    check(text: string): string {
      texts.push(text)
      return text
    },
    found() {
      const text = texts.join('\n')
      const outside = /\{[#/{%]|%%/.test(text) ? withoutCode(text) : ''
      return {
        hasTags: leftTag.test(text),
        isEncrypted: encrypting.test(text),
        // In HTML a tick is one, and begins no code.
        hasHidingBlock: hidingBlock.test(isHtml ? text : outside),
        mayHaveComment: mayHaveComment(outside)
      }
    }
  }
}

/** Of Nunjucks, of Obsidian, and of Docusaurus, which takes all markdown for MDX. Elsewhere they are text. */
const commentMarks: readonly (readonly [start: RegExp, end: string])[] = [
  [/\{#(?![\w:.-]*\})/, '#}'],
  [/(?<!%)%%(?!%)/, '%%'],
  [/(?<!\{)\{\/\*/, '*/}']
]

/** `text`: without its code. */
const mayHaveComment = (text: string): boolean =>
  commentMarks.some(([start, end]) => {
    const at = text.search(start)
    return at !== -1 && text.lastIndexOf(end) > at + 1
  })

const leftTag = /\{\{[<%](?!\s*\/\*)|\{%|\{\{ *[\w"']/

/** Code between tags in fences, of more marks than it has itself. */
function replaceCodeTags(body: string): string {
  if (!/\{[%{]/.test(body)) return body
  const lines = body.split('\n')
  for (const { from, to, tag } of codeBlocks(lines)) {
    if (tag === null) continue
    const code = lines.slice(from + 1, to)
    const [indent = ''] = /^[ \t]*/.exec(lines[from] ?? '') ?? []
    // In a list it stays, where all of it stands there.
    const margin = code.every(line => line.startsWith(indent) || line.trim() === '') ? indent : ''
    const longest = code.reduce((length, line) => Math.max(length, /^[ \t]*(~+)/.exec(line)?.[1]?.length ?? 0), 2)
    const fence = `${margin}${'~'.repeat(longest + 1)}`
    lines[from] = `${fence}${languageOf(tag)}`
    lines[to] = fence
  }
  return lines.join('\n')
}

const languageOf = (written: string): string =>
  /(?:^|\s)lang:([\w+#-]{1,30})/.exec(written)?.[1] ?? /^\s*["']?([\w+#-]{1,30})(?=["'\s]|$)/.exec(written)?.[1] ?? ''

interface Part {
  text: string
  isCode: boolean
}

/** In turns: text, and blocks of code as they are written. */
function codeAndText(body: string): Part[] {
  const lines = body.split(/(?<=\n)/)
  const parts: Part[] = []
  const add = (from: number, to: number, isCode: boolean) =>
    parts.push({ text: lines.slice(from, to).join(''), isCode })
  let at = 0
  for (const { from, to } of codeBlocks(body.split('\n'))) {
    add(at, from, false)
    add(from, to + 1, true)
    at = to + 1
  }
  add(at, lines.length, false)
  return parts
}

/** Turns what Jekyll would replace into HTML. Runs in a child process. */
export function withoutLiquidTags(body: string, { title, linkTo }: TagOptions): PlainText {
  const tags = createTagCheck({ isHtml: true })
  // They are left out when it becomes markdown.
  const hasHiddenElement = false
  if (!/\{[{%]/.test(body)) return { text: body, hasHiddenElement, ...tags.found() }
  let isCode = false
  const blocks = templateBlocks(body, 'html')
  const plainText = (text: string) => tags.check(replaceJekyllTags(text, title, linkTo))
  const texts = body.split(/(\{%-?\s*(?:end)?highlight\b[^%\n]{0,300}%\})/).map((part, index) => {
    if (index % 2 === 0 && isCode) return escaped(blocks.ofCode(part.replace(/^\r?\n/, '')))
    if (index % 2 === 0 || blocks.isInside()) return blocks.ofText(part, plainText)
    const isStart = !/^\{%-?\s*end/.test(part)
    if (isStart === isCode) return ''
    isCode = isStart
    return isStart
      ? `<pre><code class="language-${languageOf(part.slice(part.indexOf('highlight') + 9))}">`
      : '</code></pre>'
  })
  return { text: `${texts.join('')}${isCode ? '</code></pre>' : ''}`, hasHiddenElement, ...tags.found() }
}

const escaped = (code: string): string => code.replace(/&/g, '&amp;').replace(/</g, '&lt;')

type Replacement = [pattern: RegExp, by: (written: string, name: string) => string]

const replacements: readonly Replacement[] = [
  // Hugo, and themes for it.
  [/\{\{[<%]\s*(?:figure|img|image)\b((?:[^>%"]|"[^"]*"){0,2000})\/?[>%]\}\}/g, figure],
  [
    /\{\{[<%]\s*(youtube|vimeo|gist|tweet|x|instagram)\b([^>%\n]{0,500})[>%]\}\}/g,
    (name, written) => linkOf(name, written)
  ],
  // Hexo: a picture beside the post.
  [
    /\{%\s*asset_img\s+(?:[\w-]+\s+)*?(\S+\.\w{3,4})([^%\n]{0,300})%\}/g,
    (file, title) => `![${title.trim().replace(/["[\]]/g, '')}](${file})`
  ],
  [/\{%\s*(youtube|vimeo|gist)\b([^%\n]{0,300})%\}/g, (name, written) => linkOf(name, written)],
  // kramdown: attributes of a block, and the place of a table of contents.
  [/^[*-] [^\n]{0,200}\n\{:toc[^}\n]{0,300}\}[ \t]*$/gm, () => ''],
  [/^\{:[^}\n]{0,300}\}[ \t]*$/gm, () => ''],
  // Where lists cut the text, as Docusaurus has it.
  [/(?<!\{)\{\/\*\s*truncate\s*\*\/\}(?!\})/g, () => '']
]

/** A target in quotes may have blanks. */
const refOfHugo =
  /\{\{[<%]\s*(?:rel)?ref\s{1,20}(?:path\s{0,20}=\s{0,20})?(?:"([^"\n]{0,500})"|`([^`\n]{0,500})`|([^"`\s>%]{0,500}))\s{0,20}[>%]\}\}/g
/** Addresses of the site, its posts and its files: the same in markdown and HTML. */
const ofJekyll: readonly Replacement[] = [
  [/\{\{\s*site\.(?:baseurl|url)\s*\}\}/g, () => ''],
  [
    /\{\{\s*["']([^"'{}\n]{1,500})["']\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)[^{}\n]{0,100}\}\}/g,
    path => path
  ],
  // A comment in one line.
  [/\{%-?\s*#[^%\n]{0,2000}%\}/g, () => '']
]
const linkOfJekyll = /\{%-?\s*(?:post_url|link)\s+([^\s%]{1,300})\s*-?%\}/g

function replaceTags(text: string, title: string, linkTo: TagOptions['linkTo']): string {
  if (!/\{[{%:/]/.test(text)) return text
  const linked = text.replace(refOfHugo, (_, ...targets: (string | undefined)[]) =>
    linkTo(linkOfHugo(targets[0] ?? targets[1] ?? targets[2] ?? ''))
  )
  return replaceAll(replaceJekyllTags(linked, title, linkTo), replacements)
}

const replaceJekyllTags = (text: string, title: string, linkTo: TagOptions['linkTo']): string =>
  replaceAll(
    text
      .replace(/\{\{\s*page\.title\s*\}\}/g, () => title)
      .replace(linkOfJekyll, (_, target: string) => linkTo({ system: 'jekyll', target, fragment: '' })),
    ofJekyll
  )

const replaceAll = (text: string, patterns: readonly Replacement[]): string =>
  patterns.reduce(
    (replaced, [pattern, by]) => replaced.replace(pattern, (...found: string[]) => by(found[1] ?? '', found[2] ?? '')),
    text
  )

function linkOfHugo(written: string): GeneratorLink {
  const [, target = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(written.trim()) ?? []
  return { system: 'hugo', target, fragment }
}

function figure(written: string): string {
  const found = [...written.matchAll(/(\w{1,20})\s*=\s*(?:"([^"]*)"|`([^`]*)`|(\S+))/g)]
  const fields = new Map(found.map(([, name = '', quoted, raw, unquoted]) => [name, quoted ?? raw ?? unquoted ?? '']))
  const src = fields.get('src')
  const link = fields.get('link')
  const caption = fields.get('caption') ?? fields.get('title') ?? ''
  if (src === undefined) return ''
  const image = `![${(fields.get('alt') ?? caption).replace(/[[\]\n]/g, '')}](<${src.replace(/[<>\n]/g, '')}>)`
  const shown = link === undefined ? image : `[${image}](<${link.replace(/[<>\n]/g, '')}>)`
  return caption === '' ? shown : `${shown}\n\n*${caption.trim()}*\n`
}

function linkOf(name: string, written: string): string {
  const found = /(?:id|user)\s*=\s*"?([\w-]+)"?/.exec(written)?.[1]
  const words = written.replace(/["']/g, '').trim().split(/\s+/)
  const [first = '', second = ''] = found === undefined ? words : [found]
  const id = found !== undefined && name !== 'gist' ? (/\bid\s*=\s*"?([\w-]+)/.exec(written)?.[1] ?? found) : first
  const addresses: Readonly<Record<string, string>> = {
    youtube: `www.youtube.com/watch?v=${id}`,
    vimeo: `vimeo.com/${id}`,
    gist: `gist.github.com/${[first, second].filter(Boolean).join('/')}`,
    tweet: `x.com/i/status/${id}`,
    x: `x.com/i/status/${id}`,
    instagram: `www.instagram.com/p/${id}`
  }
  return /^[\w/-]+$/.test(id) ? `<https://${addresses[name]}>` : ''
}
