import path from 'node:path'
import { listField, saidOfPost, textField } from '#front-matter'
import { emptyPost, type SourcePost } from '../source-post.ts'
import { expandPermalink } from './permalink.ts'
import type { MarkdownFile } from './read-file.ts'
import { contentFolder, isIndexFile, pageNameOf } from './site/page-path.ts'
import type { MarkdownSite } from './site/site.ts'
import { visibilityOf } from './visibility.ts'

/** As Jekyll names posts. */
const datedName = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/

/** The post of a file; `file` is its path in the folder, with `/`. */
export function postOfFile(file: string, { fields: own, body, hasTags }: MarkdownFile, site: MarkdownSite): SourcePost {
  const fields = site.fieldsOf(file, own)
  const { name, language } = pageNameOf(file)
  const [, year, month, day, dated] = datedName.exec(name) ?? []
  const fileDate = year === undefined ? null : `${year}-${month}-${day}`
  const said = saidOfPost(fields)
  const slug = [said.slug ?? dated ?? name, language ?? ''].filter(Boolean).join('-')
  const published_at = textField(fields, 'date', 'pubDate', 'pubDatetime', 'publishDate', 'published_at') ?? fileDate
  const { addresses, isKnown } = addressesOf(file, fields, {
    slug: said.slug ?? dated ?? name,
    language,
    date: published_at,
    categories: [...foldersOfPosts(file), ...said.categories],
    isDated: fileDate !== null,
    sitePermalink: site.permalink
  })
  const visibility = visibilityOf(file, fields, site.hiddenBy(file))
  return {
    ...emptyPost({ id: file, name: file, text: { format: 'markdown', value: body } }),
    ...said,
    title: said.title ?? '',
    slug,
    is_public: visibility.is_public,
    published_at,
    visible_from: textField(fields, 'publishDate', 'pubDate'),
    visible_until: textField(fields, 'expiryDate', 'unpublishDate'),
    created_at: published_at,
    updated_at: textField(fields, 'lastmod', 'last_modified_at', 'updated', 'updatedDate', 'modDatetime', 'modified'),
    language: said.language ?? language,
    addresses,
    notes: [
      ...visibility.notes,
      ...notesOf(file, hasTags),
      ...(isKnown ? [] : ['its permalink has a pattern that is not known here: no redirect is stored'])
    ]
  }
}

/** As Jekyll has them: the folders above `_posts` are categories. */
function foldersOfPosts(file: string): string[] {
  const folders = file.split('/')
  const at = folders.indexOf('_posts')
  return at < 1 ? [] : folders.slice(0, at)
}

interface NamedPost {
  slug: string
  language: string | null
  date: string | null
  categories: readonly string[]
  /** The name of the file has a date. */
  isDated: boolean
  sitePermalink: string | null
}

/** What it was called where it comes from, and by default: Jekyll has the date in the address, Hugo and Astro the folders. */
function addressesOf(
  file: string,
  fields: Readonly<Record<string, unknown>>,
  post: NamedPost
): { addresses: string[]; isKnown: boolean } {
  const stated = listField(fields, ['aliases', 'redirect_from'])
  const permalink = textField(fields, 'permalink', 'url') ?? (post.isDated ? post.sitePermalink : null)
  if (permalink !== null) {
    const address = expandPermalink(permalink, post)
    return { addresses: [...(address === null ? [] : [address]), ...stated], isKnown: address !== null }
  }
  const addresses = [...stated, ...defaultAddresses(file, post)]
  return { addresses, isKnown: true }
}

function defaultAddresses(file: string, post: NamedPost): string[] {
  if (post.isDated) {
    const plain = expandPermalink('/:year/:month/:day/:title:output_ext', post)
    return [...new Set([expandPermalink('date', post), plain])].filter(address => address !== null)
  }
  const folder = path.posix.dirname(isIndexFile(file) ? path.posix.dirname(file) : file)
  return [path.posix.join('/', post.language ?? '', folder.replace(contentFolder, ''), post.slug)]
}

function notesOf(file: string, hasTags: boolean): string[] {
  return [
    ...(hasTags ? ['shortcodes or Liquid tags stay in the text as they are'] : []),
    ...(file.endsWith('.mdx') ? ['components of MDX stay in the text as they are'] : [])
  ]
}
