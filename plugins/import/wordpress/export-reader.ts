import { describedLabel } from '../described-label.ts'
import type { SourceItem } from '../source-post.ts'
import type { ItemWriter } from '../staging/item-writer.ts'
import { pictureNamesIn, pictureNumber } from '../staging/picture-number.ts'
import type { StageSummary } from '../staging/stage.ts'
import { itemOf, type WordpressItem } from './item.ts'
import { createPictureList } from './picture-list.ts'
import { isRestricting } from './restrictions.ts'

/** More of an element is not kept: no post may have it. */
const maxTextLength = 8_000_000

/** Of the meta of a post. */
const usedMeta: ReadonlySet<string> = new Set([
  '_thumbnail_id',
  'footnotes',
  '_yoast_wpseo_title',
  '_yoast_wpseo_metadesc',
  '_yoast_wpseo_canonical',
  'rank_math_canonical_url'
])

type Attributes = Readonly<Record<string, string>>

/** Puts posts together from the elements of an export, in their order. */
export function createExportReader(writer: ItemWriter) {
  const path: string[] = []
  const authors = createAuthors()
  const pictures = createPictureList()
  const wanted = new Set<string>()
  const others = new Map<string, number>()
  const labels = createLabels()
  let siteUrl: string | null = null
  let item = emptyItem()
  let meta = { key: '', value: '' }
  let attributes: Attributes = {}
  let text: string[] = []
  let textLength = 0
  const finish = () => {
    const type = item.texts['wp:post_type'] ?? 'post'
    if (type === 'attachment') pictures.add(item)
    else if (type !== 'post' && type !== 'page') countOne(others, type)
    else {
      const found = itemOf(item, authors.names, pictureNumber)
      for (const name of pictureNamesOf(found, item)) wanted.add(name)
      writer.write(found)
    }
    item = emptyItem()
  }
  const closeElement = (name: string, value: string) => {
    const parent = path.at(-1)
    if (name === 'item') finish()
    else if (name === 'wp:comment') countOne(others, 'comment')
    else if (name === 'link' && parent === 'channel') siteUrl = value || null
    else if (name === 'wp:author' || parent === 'wp:author') authors.take(name, value)
    else if (parent === 'wp:postmeta') meta = name === 'wp:meta_key' ? { key: value, value: '' } : { ...meta, value }
    else if (name === 'wp:postmeta') addMeta(item, meta)
    else if (parent === 'item') addToItem(item, name, value, attributes)
    else labels.take(parent, name, value)
  }
  return {
    open(name: string, given: Attributes): void {
      if (path.length === 0) refuseOthers(name)
      path.push(name)
      attributes = given
      text = []
      textLength = 0
    },
    text(part: string): void {
      textLength += part.length
      if (textLength <= maxTextLength) text.push(part)
      else item.isTooLarge = true
    },
    close(): void {
      const name = path.pop() ?? ''
      const value = text.join('').trim()
      text = []
      closeElement(name, value)
    },
    end(): StageSummary {
      writeLeft(writer, others, labels.described)
      return { items: writer.close(), pictures: pictures.named(wanted), siteUrl }
    }
  }
}

/** `name`: of the outermost element. */
function refuseOthers(name: string): void {
  if (name !== 'rss')
    throw new TypeError('it is no export of WordPress: take the file that it writes under Tools, Export')
}

const pictureNamesOf = (found: SourceItem, { meta }: WordpressItem): string[] => [
  ...(meta._thumbnail_id === undefined ? [] : [meta._thumbnail_id]),
  ...(found.kind === 'post' ? pictureNamesIn(found.post.text.value) : [])
]

function addToItem(item: WordpressItem, name: string, value: string, { domain = '' }: Attributes): void {
  if (name === 'category') item.labels.push({ domain, name: value })
  else item.texts[name] = value
}

function addMeta(item: WordpressItem, { key, value }: { key: string; value: string }): void {
  if (key === '_wp_old_slug') item.formerSlugs.push(value)
  else if (usedMeta.has(key)) item.meta[key] = value
  else if (isRestricting(key, value)) item.restrictions.add(key)
}

const countOne = (counts: Map<string, number>, type: string) => void counts.set(type, (counts.get(type) ?? 0) + 1)

/** Labels are the last: a report names so many things, and counts what follows. */
function writeLeft(writer: ItemWriter, others: ReadonlyMap<string, number>, labels: readonly SourceItem[]): void {
  for (const [type, count] of others)
    writer.write({ kind: 'left', name: type, reason: `is a kind that posts are not of: ${count} of them are left` })
  for (const label of labels) writer.write(label)
}

const emptyItem = (): WordpressItem => ({
  texts: {},
  labels: [],
  meta: {},
  restrictions: new Set(),
  formerSlugs: [],
  isTooLarge: false
})

/** Categories and tags, which are in front of the posts. */
const labelElement = /^wp:(?:category|tag)$/

/** `described`: what the report says of labels with a description. */
function createLabels() {
  const described: SourceItem[] = []
  let label = { name: '', description: '' }
  return {
    described,
    take(parent: string | undefined, element: string, value: string): void {
      if (labelElement.test(element)) {
        described.push(...describedLabel(label.name, label.description))
        label = { name: '', description: '' }
      } else if (parent !== undefined && labelElement.test(parent)) label = labelWith(label, element, value)
    }
  }
}

function labelWith(label: { name: string; description: string }, element: string, value: string) {
  if (/^wp:(?:cat|tag)_name$/.test(element)) return { ...label, name: value }
  return /^wp:(?:category|tag)_description$/.test(element) ? { ...label, description: value } : label
}

/** The names of authors, by their logins. */
function createAuthors() {
  const names = new Map<string, string>()
  let author = { login: '', name: '' }
  return {
    names,
    take(element: string, value: string): void {
      if (element === 'wp:author') names.set(author.login, author.name)
      else author = authorWith(author, element, value)
    }
  }
}

function authorWith(author: { login: string; name: string }, name: string, value: string) {
  if (name === 'wp:author_login') return { login: value, name: value }
  return name === 'wp:author_display_name' && value !== '' ? { ...author, name: value } : author
}
