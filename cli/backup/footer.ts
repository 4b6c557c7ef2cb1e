/**
 * The end of a backup: an empty gzip member whose extra field says where the member before it begins, which holds the
 * manifest. It unpacks to nothing, so that ordinary tools see one archive.
 */
export const footerBytes = 34

/** Flag of a gzip header: there is an extra field. */
const hasExtra = 4
const header = Buffer.from([0x1f, 0x8b, 8, hasExtra, 0, 0, 0, 0, 0, 0xff])
/** Twelve bytes of extra field: one part named GM, with eight. */
const extra = Buffer.from([12, 0, 'G'.charCodeAt(0), 'M'.charCodeAt(0), 8, 0])
/** An empty deflated block, and the sum and length of nothing. */
const nothing = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])

export function footerOf(manifestOffset: number): Buffer {
  const offset = Buffer.alloc(8)
  offset.writeBigUInt64LE(BigInt(manifestOffset))
  return Buffer.concat([header, extra, offset, nothing])
}

/** Where the manifest's member is in a file of so many bytes that ends with these; null when they are no such end. */
export function manifestPlace(end: Buffer, size: number): { offset: number; length: number } | null {
  const at = header.length + extra.length
  const isFooter =
    end.length === footerBytes &&
    end.subarray(0, at).equals(Buffer.concat([header, extra])) &&
    end.subarray(at + 8).equals(nothing)
  if (!isFooter) return null
  const offset = Number(end.readBigUInt64LE(at))
  const length = size - footerBytes - offset
  return Number.isSafeInteger(offset) && length > 0 ? { offset, length } : null
}
