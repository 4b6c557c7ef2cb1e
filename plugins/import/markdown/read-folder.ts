import { open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import { InputError, messageOf } from '#core'
import { maxTextBytes } from '../conversion/convert.ts'
import { openImageFolder } from '../images/image-folder.ts'
import { markdownImages } from '../images/local-images.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import type { FrontMatter } from './front-matter.ts'
import { postOfFile } from './post-of-file.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./front-matter${path.extname(import.meta.url)}`, import.meta.url)
const readBounded = bounded<FrontMatter>(module, 'readFrontMatter')

const maxFiles = 200_000
const maxDepth = 30
/** Text and front matter. */
const maxFileBytes = maxTextBytes + 65_536
const markdownFile = /\.(?:md|mdx|markdown)$/i
/** Of the folder, not of the blog; `_index.md` is the text above a list of Hugo. */
const notAPost = /^(?:_index|readme|license|changelog|contributing|code_of_conduct)\.\w+$/i

/** The folder of a blog of markdown files, as Hugo, Jekyll and Astro have it. @throws InputError when it cannot be read */
export async function openMarkdownFolder(
  folder: string,
  { site, imageFolder, siteUrl }: { site: string | undefined; imageFolder: string | undefined; siteUrl: string | null }
): Promise<ImportSource> {
  const root = await realpath(folder).catch(() => folder)
  const files: string[] = []
  const left: SourceItem[] = []
  await walk(root, '', files, left)
  return {
    system: 'markdown',
    site: site ?? path.basename(root),
    total: files.length + left.length,
    findImage: markdownImages([root, ...(imageFolder === undefined ? [] : [imageFolder])].map(openImageFolder)),
    siteUrl,
    async *items() {
      yield* left
      for (const file of files) yield await readPost(root, file)
    }
  }
}

/** In the order of their names, so that two runs see the same. Links are not followed: they may lead out of the folder. */
async function walk(root: string, folder: string, files: string[], left: SourceItem[]): Promise<void> {
  if (folder.split('/').length > maxDepth) throw new InputError({ folder: `is nested more than ${maxDepth} deep` })
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(unreadable)
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.posix.join(folder, entry.name)
    if (entry.isSymbolicLink()) left.push({ kind: 'left', name: file, reason: 'is a link, and links are not followed' })
    else if (entry.isDirectory() && !isHidden(entry.name)) await walk(root, file, files, left)
    else if (entry.isFile() && markdownFile.test(entry.name) && !notAPost.test(entry.name)) files.push(file)
    if (files.length > maxFiles) throw new InputError({ folder: `has more than ${maxFiles} markdown files` })
  }
}

const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

function unreadable(error: unknown): never {
  throw new InputError({ folder: 'cannot be read' }, `The folder cannot be read: ${messageOf(error)}.`)
}

async function readPost(root: string, file: string): Promise<SourceItem> {
  try {
    const text = await readFileBounded(path.join(root, file))
    return { kind: 'post', post: postOfFile(file, await readBounded(text, 'import')) }
  } catch (error) {
    if (error instanceof LimitError || error instanceof RangeError || isOfSystem(error))
      return { kind: 'failed', name: file, reason: oneLineOf(error) }
    throw error
  }
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
