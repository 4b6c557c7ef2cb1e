import { crc32, deflateRawSync } from 'node:zlib'

/** An archive of files by their names. `declaredBytes`: what it says of its last file, instead of the truth. */
export function zipOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  { declaredBytes }: { declaredBytes?: number } = {}
): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  const names = Object.keys(files)
  for (const name of names) {
    const content = Buffer.from(files[name] ?? '')
    const packed = deflateRawSync(content)
    const size = name === names.at(-1) && declaredBytes !== undefined ? declaredBytes : content.length
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(size, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, rest, Buffer.from(name))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(names.length, 4)
  end.writeUInt16LE(names.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
