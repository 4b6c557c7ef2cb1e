import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { openImageFolder } from '../images/image-folder.ts'
import { markdownImages } from '../images/local-images.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import { findFiles } from './find-files.ts'
import { createPageAddresses } from './page-addresses.ts'
import { postOfFile } from './post-of-file.ts'
import { FileFault, readMarkdownFiles, textsAtOnce } from './read-texts.ts'
import { type MarkdownSite, readSite } from './site/site.ts'

/** The folder of a blog of markdown files, as Hugo, Jekyll and Astro have it. @throws InputError when it cannot be read */
export async function openMarkdownFolder(
  folder: string,
  { site, imageFolder, siteUrl }: { site: string | undefined; imageFolder: string | undefined; siteUrl: string | null }
): Promise<ImportSource> {
  const root = await realpath(folder).catch(() => folder)
  const found = await findFiles(root)
  const rules = await readSite(root, found, siteUrl)
  return {
    system: 'markdown',
    site: site ?? path.basename(root),
    total: found.posts.length + found.left.length,
    findImage: markdownImages([root, ...(imageFolder === undefined ? [] : [imageFolder])].map(openImageFolder)),
    siteUrl,
    async *items() {
      yield* found.left
      yield* readPosts(root, found.posts, rules)
    }
  }
}

/** In their order. */
async function* readPosts(root: string, files: readonly string[], site: MarkdownSite): AsyncIterable<SourceItem> {
  const addresses = createPageAddresses(root, files, site)
  for (let from = 0; from < files.length; from += textsAtOnce) {
    const names = files.slice(from, from + textsAtOnce)
    const read = await readMarkdownFiles(root, names)
    for (const name of names) {
      const each = read.get(name)
      if (each instanceof FileFault) yield { kind: 'failed', name, reason: each.reason }
      else if (each !== undefined)
        yield { kind: 'post', post: await addresses.link(postOfFile(name, each, site), each.pageLinks) }
    }
  }
}
