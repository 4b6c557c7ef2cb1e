import type { Dirent } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { boundedMany, LimitError } from '#child-process'
import { errorCode, InputError, messageOf } from '#core'
import { textField } from '#front-matter'
import { maxTextBytes } from '../conversion/convert.ts'
import { openImageFolder } from '../images/image-folder.ts'
import { markdownImages } from '../images/local-images.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import { postOfFile } from './post-of-file.ts'
import type { MarkdownFile } from './read-file.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./read-file${path.extname(import.meta.url)}`, import.meta.url)
const readMarkdown = boundedMany<MarkdownFile>(module, 'readMarkdownFile')
const readMdx = boundedMany<MarkdownFile>(module, 'readMdxFile')

const maxFiles = 200_000
const maxDepth = 30
const filesAtOnce = 32
/** Text and front matter. */
const maxFileBytes = maxTextBytes + 65_536
const markdownFile = /\.(?:md|mdx|markdown)$/i
/** Of the folder, not of the blog; `_index.md` is the text above a list of Hugo. */
const notAPost =
  /^(?:_index(?:\.[\w-]+)?|readme|license|changelog|contributing|code_of_conduct|security|support|agents|claude)\.\w+$/i
/** Of generators: what new posts begin with, and what pages are made with. */
const noPosts = new Set([
  'archetypes',
  'scaffolds',
  'themes',
  'layouts',
  '_layouts',
  '_includes',
  'vendor',
  'node_modules'
])

/** The folder of a blog of markdown files, as Hugo, Jekyll and Astro have it. @throws InputError when it cannot be read */
export async function openMarkdownFolder(
  folder: string,
  { site, imageFolder, siteUrl }: { site: string | undefined; imageFolder: string | undefined; siteUrl: string | null }
): Promise<ImportSource> {
  const root = await realpath(folder).catch(() => folder)
  const files: string[] = []
  const left: SourceItem[] = []
  await walk(root, '', files, left)
  const sitePermalink = await readSitePermalink(root)
  return {
    system: 'markdown',
    site: site ?? path.basename(root),
    total: files.length + left.length,
    findImage: markdownImages([root, ...(imageFolder === undefined ? [] : [imageFolder])].map(openImageFolder)),
    siteUrl,
    async *items() {
      yield* left
      yield* readPosts(root, files, sitePermalink)
    }
  }
}

/** In the order of their names, so that two runs see the same. Links are not followed: they may lead out of the folder. */
async function walk(root: string, folder: string, files: string[], left: SourceItem[]): Promise<void> {
  if (folder.split('/').length > maxDepth) throw new InputError({ folder: `is nested more than ${maxDepth} deep` })
  const entries = await entriesOf(path.join(root, folder))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.posix.join(folder, entry.name)
    if (entry.isSymbolicLink()) left.push({ kind: 'left', name: file, reason: 'is a link, and links are not followed' })
    else if (entry.isDirectory() && noPosts.has(entry.name))
      left.push({ kind: 'left', name: file, reason: 'is a folder of templates or programs' })
    else if (entry.isDirectory() && !entry.name.startsWith('.')) await walk(root, file, files, left)
    else if (entry.isFile() && markdownFile.test(entry.name) && !notAPost.test(entry.name)) files.push(file)
    if (files.length > maxFiles) throw new InputError({ folder: `has more than ${maxFiles} markdown files` })
  }
}

/** What the configuration of Jekyll says of the addresses of posts; null where there is none that can be read. */
async function readSitePermalink(root: string): Promise<string | null> {
  const entries = await entriesOf(root)
  const config = entries.find(entry => entry.isFile() && /^_config\.ya?ml$/.test(entry.name))
  if (config === undefined) return null
  const text = await readFileBounded(path.join(root, config.name)).catch(faultOf)
  if (typeof text === 'object') return null
  const [read] = await readMarkdown([`---\n${text.replace(/^---\s*\n/, '')}\n---\n`], 'import')
  return read === undefined || read instanceof LimitError ? null : textField(read.fields, 'permalink')
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

/** In their order. Some are read at once, and share calls of a child process. */
async function* readPosts(
  root: string,
  files: readonly string[],
  sitePermalink: string | null
): AsyncIterable<SourceItem> {
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const names = files.slice(from, from + filesAtOnce)
    const texts = await Promise.all(names.map(file => readFileBounded(path.join(root, file)).catch(faultOf)))
    const posts = await postsOf(names, texts, sitePermalink)
    for (const [index, name] of names.entries()) {
      const text = texts[index]
      const post = posts.get(name)
      if (typeof text === 'object') yield { kind: 'failed', name, reason: text.fault }
      else if (post !== undefined) yield post
    }
  }
}

async function postsOf(
  names: readonly string[],
  texts: readonly (string | { fault: string })[],
  sitePermalink: string | null
): Promise<Map<string, SourceItem>> {
  const posts = new Map<string, SourceItem>()
  for (const [isMdx, read] of [[false, readMarkdown] as const, [true, readMdx] as const]) {
    const readable = names.flatMap((name, index) => {
      const text = texts[index]
      return typeof text === 'string' && name.endsWith('.mdx') === isMdx ? [{ name, text }] : []
    })
    const found = await read(
      readable.map(({ text }) => text),
      'import'
    )
    for (const [index, { name }] of readable.entries()) {
      const each = found[index]
      if (each instanceof LimitError) posts.set(name, { kind: 'failed', name, reason: oneLineOf(each) })
      else if (each !== undefined) posts.set(name, { kind: 'post', post: postOfFile(name, each, sitePermalink) })
    }
  }
  return posts
}

/** What is wrong with a file is reported; all else ends the run. */
function faultOf(error: unknown): { fault: string } {
  if (error instanceof RangeError || isOfSystem(error)) return { fault: oneLineOf(error) }
  throw error
}

async function readFileBounded(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size > maxFileBytes) throw new RangeError(`has ${size} bytes; at most ${maxFileBytes} are taken`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } catch (error) {
    throw error instanceof TypeError ? new RangeError('is not UTF-8 text: convert it first') : error
  } finally {
    await handle.close()
  }
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error
const oneLineOf = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
