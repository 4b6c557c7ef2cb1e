import { open } from 'node:fs/promises'
import { type Entry, open as openArchive, type ZipFile } from 'yauzl'
import { messageOf } from '#core'

const maxEntries = 200_000

/** An archive of anybody: it is read file by file, and nothing of it is written anywhere. */
export interface ZipArchive {
  /** By their paths with `/`, none of which leads upwards. */
  readonly entries: ReadonlyMap<string, Entry>
  /** @throws RangeError for a file that has more bytes, whatever the archive says of it */
  read(entry: Entry, maxBytes: number): Promise<Buffer>
  close(): void
}

/** @throws Error for what is no archive, with a reason that completes "it" */
export async function openZip(file: string): Promise<ZipArchive> {
  const zip = await opened(file)
  try {
    if (zip.entryCount > maxEntries) throw new RangeError(`it has more than ${maxEntries} files`)
    const entries = await entriesOf(zip)
    return { entries, read: (entry, maxBytes) => readEntry(zip, entry, maxBytes), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** By its first bytes, whatever its name is. */
export async function isZip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'PK\x03\x04'
  } finally {
    await handle.close()
  }
}

/** Sizes and names are checked as they are read. */
const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true } as const

const opened = (file: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    openArchive(file, options, (error, zip) => (error === null ? resolve(zip) : reject(unreadable(error))))
  )

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', error => reject(unreadable(error)))
    zip.readEntry()
  })
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  if (entry.uncompressedSize > maxBytes)
    throw new RangeError(`has ${entry.uncompressedSize} bytes; at most ${maxBytes} are taken`)
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, found) => (error === null ? resolve(found) : reject(unreadable(error))))
  )
  const chunks: Buffer[] = []
  // More bytes than are declared are an error of the stream.
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const unreadable = (error: unknown): Error => new TypeError(`it is no archive that can be read (${messageOf(error)})`)
