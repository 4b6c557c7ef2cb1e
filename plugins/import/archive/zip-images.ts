import { messageOf } from '#core'
import { fetchLimits } from '../images/fetch-image.ts'
import { ImageFault } from '../images/image-fault.ts'
import type { ImageFiles } from '../images/image-folder.ts'
import type { ZipArchive } from './zip.ts'

/** The pictures of an archive. Its folders may lie in one more, as many programs pack them. */
export const zipImages = (archive: ZipArchive): ImageFiles => {
  const [topFolder] = /^[^/]+\//.exec(archive.entries.keys().next().value ?? '') ?? ['']
  return {
    async find(file) {
      const entry = archive.entries.get(file) ?? archive.entries.get(`${topFolder}${file}`)
      if (entry === undefined) return null
      const read = () =>
        archive.read(entry, fetchLimits.maxBytes).catch(error => {
          throw new ImageFault(error instanceof RangeError ? error.message : `cannot be read (${messageOf(error)})`)
        })
      return { key: entry.fileName, read }
    }
  }
}
