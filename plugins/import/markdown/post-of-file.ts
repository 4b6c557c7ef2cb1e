import path from 'node:path'
import { flagField, listField, saidOfPost, textField } from '#front-matter'
import { emptyPost, type SourcePost } from '../source-post.ts'
import type { MarkdownFile } from './read-file.ts'

/** As Jekyll names posts. */
const datedName = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/

/** The post of a file; `file` is its path in the folder, with `/`. */
export function postOfFile(file: string, { fields, body, hasTags }: MarkdownFile): SourcePost {
  const { name, language } = nameOf(file)
  const [, year, month, day, dated] = datedName.exec(name) ?? []
  const fileDate = year === undefined ? null : `${year}-${month}-${day}`
  const said = saidOfPost(fields)
  const slug = [said.slug ?? dated ?? name, language ?? ''].filter(Boolean).join('-')
  const published_at = textField(fields, 'date', 'pubDate', 'pubDatetime', 'publishDate', 'published_at') ?? fileDate
  return {
    ...emptyPost({ id: file, name: file, text: { format: 'markdown', value: body } }),
    ...said,
    title: said.title ?? '',
    slug,
    is_public: isPublic(file, fields),
    published_at,
    created_at: published_at,
    updated_at: textField(fields, 'lastmod', 'last_modified_at', 'updated', 'updatedDate', 'modDatetime', 'modified'),
    language: said.language ?? language,
    addresses: addressesOf(file, fields, { slug: said.slug ?? dated ?? name, language, fileDate }),
    notes: notesOf(file, hasTags)
  }
}

/** As Hugo names translations: `about.ja.md`, `about/index.pt-br.md`. */
const translated = /^(.+)\.([a-z]{2}(?:-[a-z]{2,4}){0,2})$/i

/** A folder with an `index.md` is a post, as Hugo and Astro have it. */
function nameOf(file: string): { name: string; language: string | null } {
  const { name: whole, dir } = path.posix.parse(file)
  const [, base = whole, language = null] = translated.exec(whole) ?? []
  return { name: base === 'index' && dir !== '' ? path.posix.basename(dir) : base, language }
}

function isPublic(file: string, fields: Readonly<Record<string, unknown>>): boolean {
  const isDraft = flagField(fields, 'draft') === true || flagField(fields, 'published') === false
  return !isDraft && !file.split('/').includes('_drafts')
}

/** Where generators have their pages: no part of an address. */
const contentFolder = /^(?:src\/)?(?:content|pages)(?:\/|$)/

/** What it was called where it comes from, and by default: Jekyll has the date in the address, Hugo and Astro the folders. */
function addressesOf(
  file: string,
  fields: Readonly<Record<string, unknown>>,
  { slug, language, fileDate }: { slug: string; language: string | null; fileDate: string | null }
): string[] {
  const stated = listField(fields, ['permalink', 'url', 'aliases', 'redirect_from'])
  if (textField(fields, 'permalink', 'url') !== null) return stated
  if (fileDate !== null) return [...stated, `/${fileDate.replaceAll('-', '/')}/${slug}.html`]
  const folder = path.posix.dirname(/\/index\.[^/]+$/.test(file) ? path.posix.dirname(file) : file)
  return [...stated, path.posix.join('/', language ?? '', folder.replace(contentFolder, ''), slug)]
}

function notesOf(file: string, hasTags: boolean): string[] {
  return [
    ...(hasTags ? ['shortcodes or Liquid tags stay in the text as they are'] : []),
    ...(file.endsWith('.mdx') ? ['components of MDX stay in the text as they are'] : [])
  ]
}
