/** Bytes that are appended to one another. Numbers are variable-length: 7 bits a byte, the lowest first. */
export interface ByteWriter {
  bytes: Uint8Array
  length: number
}

const firstBytes = 8

export const createByteWriter = (): ByteWriter => ({ bytes: new Uint8Array(firstBytes), length: 0 })

export function writeByte(writer: ByteWriter, value: number): void {
  if (writer.length === writer.bytes.length) grow(writer, writer.length + 1)
  writer.bytes[writer.length++] = value
}

/** A number from 0 to 2^31 - 1. */
export function writeNumber(writer: ByteWriter, value: number): void {
  let rest = value
  for (; rest > 127; rest >>>= 7) writeByte(writer, (rest & 127) | 128)
  writeByte(writer, rest)
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  if (writer.length + bytes.length > writer.bytes.length) grow(writer, writer.length + bytes.length)
  writer.bytes.set(bytes, writer.length)
  writer.length += bytes.length
}

/** What was written, without a copy. */
export const written = ({ bytes, length }: ByteWriter): Uint8Array => bytes.subarray(0, length)

function grow(writer: ByteWriter, needed: number): void {
  const bytes = new Uint8Array(Math.max(needed, writer.bytes.length * 2))
  bytes.set(writer.bytes)
  writer.bytes = bytes
}

/** Where a number is read; it goes on behind it. */
export interface ByteReader {
  readonly bytes: Uint8Array
  at: number
}

/** A number as `writeNumber` writes it. */
export function readNumber(reader: ByteReader): number {
  let value = 0
  let byte = 128
  for (let shift = 0; byte > 127; shift += 7) {
    byte = reader.bytes[reader.at++] ?? 0
    value |= (byte & 127) << shift
  }
  return value
}

/** So many bytes, without a copy. */
export function readBytes(reader: ByteReader, length: number): Uint8Array {
  const bytes = reader.bytes.subarray(reader.at, reader.at + length)
  reader.at += length
  return bytes
}
