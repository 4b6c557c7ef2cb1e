import { crc32 } from 'node:zlib'
import { latentDimensions } from './lsa.ts'

/** Before the numbers: the length of a byte's step. */
const stepBytes = 4
const checksumBytes = 4
const checksumFrom = stepBytes + latentDimensions
/** A vector as it is stored: the length of a byte's step, a byte with a sign for each number, and a checksum of both. */
export const storedVectorBytes = checksumFrom + checksumBytes

const maxByte = 127
/** A term's largest number is at most its rarity, a post's is 1. */
const maxStep = 1

export function encodeVector(vector: ArrayLike<number>, into: Uint8Array, from: number): void {
  let largest = 0
  for (let at = 0; at < latentDimensions; at++) largest = Math.max(largest, Math.abs(vector[at] ?? 0))
  const step = largest / maxByte
  const view = new DataView(into.buffer, into.byteOffset + from, storedVectorBytes)
  view.setFloat32(0, step)
  for (let at = 0; at < latentDimensions; at++)
    view.setInt8(stepBytes + at, step === 0 ? 0 : Math.round((vector[at] ?? 0) / step))
  view.setUint32(checksumFrom, crc32(into.subarray(from, from + checksumFrom)))
}

/** Undefined for damaged bytes: what has no vector is ordered by its words. */
export function decodeVector(bytes: Uint8Array): Float64Array | undefined {
  if (bytes.length !== storedVectorBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (crc32(bytes.subarray(0, checksumFrom)) !== view.getUint32(checksumFrom)) return undefined
  const step = view.getFloat32(0)
  if (!(step >= 0 && step < maxStep)) return undefined
  return Float64Array.from({ length: latentDimensions }, (_, at) => step * view.getInt8(stepBytes + at))
}
