import path from 'node:path'
import type { ImportSource, SourceItem } from '../source-post.ts'
import { pictureNumber } from './picture-number.ts'
import { type StagedExport, type StageOptions, stageExport } from './stage.ts'

/** Compiled, the readers lie beside this file's folder as JavaScript: the compiler does not rewrite a URL. */
const extension = path.extname(import.meta.url)
const readers = {
  ghost: { module: new URL(`../ghost/read-export${extension}`, import.meta.url), name: 'readGhostExport' },
  wordpress: { module: new URL(`../wordpress/read-export${extension}`, import.meta.url), name: 'readWordpressExport' }
} as const

/** An export file of Ghost or WordPress. Close it. @throws InputError when it cannot be read */
export async function openExport(
  system: keyof typeof readers,
  file: string,
  options: StageOptions & { mediaFolder: string | null }
): Promise<ImportSource & { close(): Promise<void> }> {
  const staged = await stageExport(readers[system], file, options)
  return {
    system,
    site: '',
    total: staged.items,
    mediaFolder: options.mediaFolder ?? path.dirname(file),
    items: () => withPictures(staged),
    close: staged.remove
  }
}

/** A picture may stand in the export behind the post that has it. */
async function* withPictures(staged: StagedExport): AsyncIterable<SourceItem> {
  for await (const item of staged.read()) {
    if (item.kind === 'post' && item.post.image?.startsWith(pictureNumber))
      item.post.image = staged.pictures[item.post.image.slice(pictureNumber.length)] ?? null
    yield item
  }
}
