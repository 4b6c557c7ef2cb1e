import { randomUUID } from 'node:crypto'
import { beginsWithField, type FrontMatter, readFields, readFrontMatter, textField } from '#front-matter'
import { decodeHtmlEntities } from '#text/html-entities'
import type { GeneratorLink, MarkedLinks } from './page-links.ts'
import { type PlainText, type TagOptions, withoutLiquidTags, withoutTemplateTags } from './template-tags.ts'

/** Where a title is looked for. */
const maxHeadLength = 65_536

/** A file as it is read: its fields, and its text without what its site generator would have replaced. */
export interface MarkdownFile extends FrontMatter {
  /** Shortcodes or tags are left in the text. */
  hasTags: boolean
  /** A part of it was shown to those who know a password. */
  isEncrypted: boolean
  /** A part of it stands in a block that may hide it. */
  hasHidingBlock: boolean
  /** A part of it stands in an element of HTML that no browser shows. */
  hasHiddenElement: boolean
  /** Some of it is a comment, where its generator takes it for one. */
  mayHaveComment: boolean
  /** It has no front matter, and its text begins with what may be meant for it. */
  hasUnfencedFields: boolean
  /** Links to other files, whose addresses are not known here. */
  pageLinks: MarkedLinks
}

/** Reads a file of a blog. Runs in a child process: it may come from anybody. @throws Error for one that cannot be read */
export const readMarkdownFile = (file: string): MarkdownFile =>
  readFile(file, (body, options) => withoutTemplateTags(body, { ...options, isMdx: false }))

/** The same for MDX, whose imports are left out. */
export const readMdxFile = (file: string): MarkdownFile =>
  readFile(file, (body, options) => withoutTemplateTags(body, { ...options, isMdx: true }))

/** The same for HTML, as Jekyll has it. Its `body` is HTML. A whole document may have its title in its head. */
export function readHtmlFile(file: string): MarkdownFile {
  const read = readFile(file, withoutLiquidTags)
  const title = textField(read.fields, 'title') ?? titleOf(read.body)
  return title === null ? read : { ...read, fields: { ...read.fields, title } }
}

function titleOf(html: string): string | null {
  const [start] = html.slice(0, maxHeadLength).split(/<body[\s>]/i, 1)
  if (start === undefined || !/^\s*<(?:!doctype|html|head)\b/i.test(start)) return null
  const [, title = ''] = /<title>([^<]{1,500})<\/title\s*>/i.exec(start) ?? []
  return decodeHtmlEntities(title).trim() || null
}

/** The fields of a file without a text, by its first line, which is how its name ends: `.yml`. @throws Error as above */
export function readSettingsFile(input: string): Record<string, unknown> {
  const [, extension = '', text = ''] = /^\.(\w*)\n([\s\S]*)$/.exec(input) ?? []
  return readFields(text, extension === 'toml' || extension === 'json' ? extension : 'yaml')
}

function readFile(file: string, withoutTags: (body: string, options: TagOptions) => PlainText): MarkdownFile {
  const { fields, body } = readFrontMatter(file, { isLenient: true })
  // No text can have it by itself.
  const pageLinks: MarkedLinks = { mark: `page-${randomUUID()}-`, links: [] }
  const linkTo = (link: GeneratorLink) => `${pageLinks.mark}${pageLinks.links.push(link) - 1}.`
  const { text, ...found } = withoutTags(body, { title: textField(fields, 'title') ?? '', linkTo })
  const hasUnfencedFields = Object.keys(fields).length === 0 && beginsWithField(body)
  return { fields, body: text, ...found, hasUnfencedFields, pageLinks }
}
