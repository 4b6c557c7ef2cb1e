import { readBinaryFile } from '#cli'
import { command } from '#core'
import type { Images } from '../images/images.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'

export const addCommand = (images: Images) =>
  command({
    describe: 'Add a picture to the media store: a JPEG, PNG, WebP, AVIF or GIF of at most 10 MB',
    returns: 'Image',
    args: {
      file: { type: 'positional', required: true, describe: 'File of the picture', completes: 'file' }
    },
    async run({ args: { file }, terminal: { cwd, signal } }) {
      const bytes = await readBinaryFile(file, { cwd, field: 'file', maxBytes: pictureLimits.maxBytes })
      return images.add({ bytes, contentType: 'application/octet-stream' }, signal)
    },
    text: ({ url, width, height, bytes }) => `${url} (${width} × ${height}, ${bytes} bytes)`
  })
