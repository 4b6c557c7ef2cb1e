import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError, ConflictError, NotFoundError } from '../../core/contract/errors.ts'

/** What every gzip file begins with. */
const magic = Buffer.from([0x1f, 0x8b])

const gb = 1024 ** 3
/** Bytes a backup may unpack to where nobody says more: so many times its own, and so many in any case. */
const maxRatio = 200
const maxUnpackedBytes = gb

/** Held by the one who unpacks, in bytes. */
const chunkSize = 256 * 1024

/**
 * Unpacks a regular file, no further than its limit.
 * @throws NotFoundError, AppError when it cannot be read, ConflictError when it is no backup or unpacks to too much.
 */
export async function* readCompressed(file: string, maxBytes?: number): AsyncGenerator<Buffer> {
  const handle = await openRegular(file)
  try {
    const { size } = await handle.stat()
    await checkStart(handle, file)
    const unzip = createGunzip({ chunkSize })
    // A file that grows is read as far as it was.
    const source = handle.createReadStream({ autoClose: false, start: 0, end: size - 1 })
    const done = pipeline(source, unzip)
    // Reported by the loop below, which reads from the same stream.
    done.catch(() => {})
    yield* limited(unzip, maxBytes ?? Math.max(maxUnpackedBytes, size * maxRatio))
    await done
  } finally {
    await handle.close()
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new ConflictError(
        `The backup unpacks to more than ${Math.round((maxBytes / gb) * 10) / 10} GB, far more than a backup of its size holds: if you know it to be good, add --max-unpacked-gb.`
      )
    yield chunk
  }
}

/** Neither a folder nor a pipe or device, which may have no end. The caller closes it. */
export async function openRegular(file: string): Promise<FileHandle> {
  // Not blocking: opening a named pipe would otherwise wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  const stats = await handle.stat()
  if (stats.isFile()) return handle
  await handle.close()
  throw stats.isDirectory()
    ? new NotFoundError(`${file} is a folder: name the file of the backup.`)
    : new NotFoundError(`${file} is a pipe or a device: name the file of the backup.`)
}

function unreadable(file: string, cause: NodeJS.ErrnoException): AppError {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return new NotFoundError(`There is no file ${file}.`)
  return new AppError('INTERNAL_ERROR', `${file} cannot be read (${cause.code}): check its permissions.`, { cause })
}

async function checkStart(handle: FileHandle, file: string): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
  const first = buffer.subarray(0, bytesRead)
  if (first.equals(magic)) return
  const what = first.length === 0 ? 'it is empty' : 'it is no gzip file, which "galley backup create" writes'
  throw new ConflictError(`${file} is not a backup: ${what}.`)
}
