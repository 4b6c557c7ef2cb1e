import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, InputError, messageOf } from '#core'
import type { SourceItem } from '../source-post.ts'
import { isHtmlFile } from './site/page-path.ts'

/** What a folder has, by paths in it with `/`. */
export interface FolderFiles {
  posts: string[]
  /** What is no post, and what should have been one. */
  left: SourceItem[]
  /** `_index.md`, the text above a list of Hugo: it may say something of the posts below. */
  sections: string[]
  /** JSON that is named like its folder, or like a file beside it, as Eleventy has data of posts. */
  data: string[]
}

const maxDepth = 30
const markdownFile = /\.(?:md|mdx|markdown|mkdown|mkdn?|mdown)$/i
const sectionFile = /^_index(?:\.[\w-]+)?\.(?:md|markdown|mdown)$/i
/** Of the folder, not of the blog: all of them in the first folder, and the first of them in those below. */
const notAPost =
  /^(?:.*\/readme|readme|license|changelog|contributing|code_of_conduct|security|support|agents|claude)\.\w+$/i
/** Jekyll takes these for posts: those of `_posts` have a date in their names. */
const jekyllPost = /(?:^|\/)_(?:posts\/(?:.*\/)?\d{2,4}-\d{1,2}-\d{1,2}-[^/]*|drafts\/.+)$/i
const otherPost = /\.(?:textile|adoc|asciidoc|asc|org|rst|txt)$/i
/** What may be one elsewhere, and a file beside a post, too. */
const besidePost = /(?:^|\/)_posts\/.*\.(?:html?|txt)$/i
/** Hugo has pages of HTML in its first folder, beside those of markdown. */
const hugoPage = /^content\/.*\.html?$/i
/** What generators take beside markdown. */
const otherMarkup = /\.(?:adoc|asciidoc|asc|org|rst|textile|pdc|pandoc)$/i
/** Of generators: what new posts begin with, and what pages are made with. */
const noPosts = new Set([
  'archetypes',
  'scaffolds',
  'themes',
  'layouts',
  '_layouts',
  '_includes',
  'vendor',
  '_vendor',
  'node_modules'
])

/** Of a site, which lies in a folder of the one that is imported. */
const siteConfig = /^(?:_config\.(?:ya?ml|toml)|hugo\.(?:toml|ya?ml|json))$/
/** Where Hugo has parts of its own. */
const configFolder = /(?:^|\/)config\/[^/]+$/

/** In the order of their names, so that two runs see the same. Links are not followed: they may lead out of the folder. */
export async function findFiles(root: string, { maxFiles = 200_000 } = {}): Promise<FolderFiles> {
  const found: FolderFiles = { posts: [], left: [], sections: [], data: [] }
  await walk(root, '', { found, maxFiles })
  return found
}

async function walk(root: string, folder: string, into: { found: FolderFiles; maxFiles: number }): Promise<void> {
  const { found, maxFiles } = into
  if (folder.split('/').length > maxDepth) throw new InputError({ folder: `is nested more than ${maxDepth} deep` })
  const entries = await entriesOf(path.join(root, folder))
  const names = new Set(entries.map(({ name }) => name))
  const config = folder === '' ? undefined : [...names].find(name => siteConfig.test(name))
  if (config !== undefined && !configFolder.test(folder)) {
    const reason = `has a configuration of its own, ${config}, which would not count: import that folder by itself`
    found.left.push({ kind: 'failed', name: folder, reason })
    return
  }
  const around = { folder: path.basename(path.join(root, folder)), names, hasMarkdown: hasMarkdownIn(names) }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.posix.join(folder, entry.name)
    const leave = (reason: string) => found.left.push({ kind: 'left', name: file, reason })
    if (entry.isSymbolicLink()) leave('is a link, and links are not followed')
    else if (entry.isDirectory() && noPosts.has(entry.name)) leave('is a folder of templates or programs')
    else if (entry.isDirectory() && !entry.name.startsWith('.')) await walk(root, file, into)
    else if (entry.isFile()) addFile(found, file, around)
    if (Object.values(found).reduce((count, { length }) => count + length, 0) > maxFiles)
      throw new InputError({ folder: `has more than ${maxFiles} files` })
  }
}

const hasMarkdownIn = (names: ReadonlySet<string>): boolean => [...names].some(name => markdownFile.test(name))

/** What a file lies in, and the names of what lies beside it. */
interface Around {
  folder: string
  names: ReadonlySet<string>
  hasMarkdown: boolean
}

function addFile(
  { posts, left, sections, data }: FolderFiles,
  file: string,
  { folder, names, hasMarkdown }: Around
): void {
  const name = path.posix.basename(file)
  if (sectionFile.test(name)) sections.push(file)
  else if (markdownFile.test(name) && !notAPost.test(file)) posts.push(file)
  else if (isHtmlFile(name) && jekyllPost.test(file)) posts.push(file)
  else if (isDataOf(name, folder, names)) data.push(file)
  else if (otherPost.test(name) && jekyllPost.test(file))
    left.push({ kind: 'failed', name: file, reason: 'is no markdown: convert it first' })
  else if ((markdownFile.test(name) || otherMarkup.test(name)) && notAPost.test(file))
    left.push({
      kind: 'left',
      name: file,
      reason: 'has the name of a text about the folder: rename it, if it is a post'
    })
  else if (besidePost.test(file) || otherMarkup.test(name) || (hasMarkdown && hugoPage.test(file)))
    left.push({ kind: 'left', name: file, reason: 'is no markdown: convert it first, if it is a post' })
  else if (/\.11tydata\.[cm]?js$/.test(name))
    left.push({ kind: 'left', name: file, reason: 'is a program: what it says of the posts beside it does not count' })
}

function isDataOf(name: string, folder: string, names: ReadonlySet<string>): boolean {
  const [, base] = /^(.+?)(?:\.11tydata)?\.json$/.exec(name) ?? []
  return base !== undefined && (base === folder || ['.md', '.mdx', '.markdown'].some(end => names.has(base + end)))
}

const unreadable: Record<string, string> = {
  ENOENT: 'does not exist: give the folder that holds the posts',
  ENOTDIR: 'is no folder: give the one that holds the posts',
  EACCES: 'may not be read: give the account that galley runs as the right to'
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(error => {
    const why = unreadable[errorCode(error) ?? ''] ?? `cannot be read (${messageOf(error)})`
    throw new InputError({ folder: why }, `${folder} ${why}.`)
  })
}
