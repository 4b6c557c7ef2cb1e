/** A file of an archive: its name, its length in bytes, and its bytes, which must be read before the next entry is. */
export interface TarEntry {
  readonly name: string
  readonly size: number
  readonly body: AsyncIterable<Buffer>
}

const block = 512
const maxNameBytes = 100
/** Eleven octal digits. A larger size is written in base 256, as GNU tar does. */
const maxOctal = 0o77777777777

/** The header of a regular file; a name that does not fit gets an extended header before it. */
export function tarHeader(name: string, size: number, modified = new Date(0)): Buffer {
  if (Buffer.byteLength(name) <= maxNameBytes) return plainHeader(name, size, modified, '0')
  const record = paxRecord('path', name)
  const extended = plainHeader('extended', record.length, modified, 'x')
  return Buffer.concat([
    extended,
    record,
    tarPadding(record.length),
    plainHeader(cut(name, maxNameBytes), size, modified, '0')
  ])
}

/** What fills the last block of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

/** What ends an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block)

function plainHeader(name: string, size: number, modified: Date, type: string): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0, maxNameBytes)
  header.write('0000600\0', 100)
  header.write('0000000\x000000000\0', 108)
  if (size <= maxOctal) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else header.writeUInt8(0x80, 124) && header.writeBigUInt64BE(BigInt(size), 128)
  header.write(
    `${Math.floor(modified.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136
  )
  header.write(`        ${type}`, 148)
  header.write('ustar\x0000', 257)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The sum of a header's bytes, its own field counted as blanks. */
const checksum = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)

/** `<length> path=<name>\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (String(length).length + rest !== length) length = String(length).length + rest
  return Buffer.from(`${length} ${key}=${value}\n`)
}

function cut(name: string, bytes: number): string {
  let text = name
  while (Buffer.byteLength(text) > bytes) text = text.slice(0, -1)
  return text
}

/** Bytes of an extended header at most: it holds one path. */
const maxRecordBytes = 8 * 1024
/** Zeros behind the end mark at most; tar pads to 10 kB. */
const maxEndBytes = 64 * 1024

/**
 * Reads an archive entry by entry, holding no more than a chunk of it. Only what `tarHeader` writes is read: files, and
 * extended headers with a path. Links, devices, sparse files and headers of other kinds are refused.
 * @throws Error when it ends before its end mark, or a header is not one.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = createByteReader(source)
  try {
    yield* entriesOf(bytes)
  } finally {
    await bytes.close()
  }
}

async function* entriesOf(bytes: ByteReader): AsyncGenerator<TarEntry> {
  let longName: string | undefined
  for (;;) {
    const header = await bytes.take(block)
    if (header.every(byte => byte === 0)) {
      await bytes.drain(maxEndBytes)
      return
    }
    const { name, size, type } = parseHeader(header)
    if (type === 'x') {
      if (size > maxRecordBytes) throw new Error(`an extended header of the archive has ${size} bytes`)
      longName = paxPath(await bytes.take(size))
      await bytes.take(tarPadding(size).length)
      continue
    }
    if (type !== '0' && type !== '') throw new Error(`the archive holds what is no file (type ${JSON.stringify(type)})`)
    const body = bytes.stream(size)
    yield { name: longName ?? name, size, body }
    longName = undefined
    for await (const _ of body); // what the caller left
    await bytes.take(tarPadding(size).length)
  }
}

function parseHeader(header: Buffer) {
  const text = (from: number, length: number) => {
    const field = header.subarray(from, from + length)
    const end = field.indexOf(0)
    return decode(field.subarray(0, end === -1 ? length : end))
  }
  if (octal(text(148, 8)) !== checksum(header) || text(345, 155) !== '') throw damagedHeader()
  const size = header.readUInt32BE(124) === 0x80000000 ? Number(header.readBigUInt64BE(128)) : octal(text(124, 12))
  if (!Number.isSafeInteger(size)) throw damagedHeader()
  return { name: text(0, maxNameBytes), size, type: text(156, 1) }
}

const damagedHeader = () => new Error('a header of the archive is damaged')

const octal = (text: string): number => (/^ *[0-7]+ *$/.test(text) ? Number.parseInt(text, 8) : Number.NaN)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Error('a name in the archive is not UTF-8')
  }
}

/** The path of an extended header, which holds nothing else. */
function paxPath(record: Buffer): string {
  const [, length, path] = /^(\d{1,5}) path=([^\n]+)\n$/.exec(decode(record)) ?? []
  if (path === undefined || Number(length) !== record.length)
    throw new Error('an extended header of the archive is damaged')
  return path
}

interface ByteReader {
  /** Exactly so many bytes. */
  take(length: number): Promise<Buffer>
  /** So many bytes, as they come. */
  stream(length: number): AsyncGenerator<Buffer>
  /** Reads to the end, which is made of so many zeros at most: a compressed stream checks itself only there. */
  drain(maxBytes: number): Promise<void>
  /** Lets go of the source. */
  close(): Promise<void>
}

function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  const next = async (maxBytes: number): Promise<Buffer> => {
    while (buffered.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('the archive ends too early')
      buffered = value
    }
    const piece = buffered.subarray(0, maxBytes)
    buffered = buffered.subarray(piece.length)
    return piece
  }
  async function* stream(length: number) {
    for (let left = length; left > 0; ) {
      const piece = await next(left)
      left -= piece.length
      yield piece
    }
  }
  return {
    stream,
    close: async () => void (await chunks.return?.()),
    take: async length => {
      const pieces: Buffer[] = []
      for await (const piece of stream(length)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    drain: async maxBytes => {
      for (let left = maxBytes; ; ) {
        left -= buffered.length
        if (left < 0 || buffered.some(byte => byte !== 0)) throw new Error('the archive goes on behind its end')
        const { value, done } = await chunks.next()
        if (done) return
        buffered = value
      }
    }
  }
}
