import path from 'node:path'
import { isZip, openZip } from '../archive/zip.ts'
import { zipImages } from '../archive/zip-images.ts'
import { openImageFolder } from '../images/image-folder.ts'
import { uploadedImages } from '../images/local-images.ts'
import type { ImportSource, SourceItem, SourcePost } from '../source-post.ts'
import { pictureNamesIn, pictureNumber, withPictureUrls } from './picture-number.ts'
import { type StagedExport, type StageOptions, stageExport } from './stage.ts'

/** Compiled, the readers lie beside this file's folder as JavaScript: the compiler does not rewrite a URL. */
const extension = path.extname(import.meta.url)
const readers = {
  ghost: { module: new URL(`../ghost/read-export${extension}`, import.meta.url), name: 'readGhostExport' },
  wordpress: { module: new URL(`../wordpress/read-export${extension}`, import.meta.url), name: 'readWordpressExport' }
} as const

/** Where each stores what was uploaded, and what it adds for another size of a picture. */
const uploads = {
  ghost: ['content/images', /^size\/w\d+(?:h\d+)?\/(?:format\/\w+\/)?/],
  wordpress: ['wp-content/uploads', /-\d+x\d+(?=\.\w+$)/]
} as const

/** An export file of Ghost or WordPress. Close it. @throws InputError when it cannot be read */
export async function openExport(
  system: keyof typeof readers,
  file: string,
  { imageFolder, ...options }: StageOptions & { imageFolder: string | undefined }
): Promise<ImportSource & { close(): Promise<void> }> {
  const staged = await stageExport(readers[system], file, options)
  const [folder, sizes] = uploads[system]
  const archive = (await isZip(file)) ? await openZip(file) : null
  const folders = imageFolder === undefined ? [] : [openImageFolder(imageFolder)]
  return {
    system,
    site: '',
    total: staged.items,
    siteUrl: options.siteUrl ?? staged.siteUrl,
    findImage: uploadedImages(archive === null ? folders : [...folders, zipImages(archive)], folder, sizes),
    items: () => withPictures(staged),
    async close() {
      archive?.close()
      await staged.remove()
    }
  }
}

function nameByAddress(post: SourcePost, urlsOf: (name: string) => readonly string[]): void {
  const cover = post.image?.startsWith(pictureNumber) ? [post.image.slice(pictureNumber.length)] : []
  const absent = [...cover, ...pictureNamesIn(post.text.value)].filter(name => urlsOf(name).length === 0)
  const numbers = [...new Set(absent.map(name => name.replace('of-', 'of post ')))]
  if (numbers.length > 0) post.notes.push(`pictures that the export does not have: ${numbers.join(', ')}`)
  if (post.image?.startsWith(pictureNumber)) post.image = urlsOf(post.image.slice(pictureNumber.length))[0] ?? null
  post.text.value = withPictureUrls(post.text.value, urlsOf)
}

/** A picture may stand in the export behind the post that has it. */
async function* withPictures(staged: StagedExport): AsyncIterable<SourceItem> {
  for await (const item of staged.read()) {
    if (item.kind === 'post') nameByAddress(item.post, name => staged.pictures[name] ?? [])
    yield item
  }
}
