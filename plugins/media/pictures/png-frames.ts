/** Frames of an animated PNG; 1 for any other picture. Decoders that know no animation show the first one of it. */
export function pngFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Each chunk has its length, its name, its data and a checksum. What is animated says so before the first pixels.
  for (let at = signatureBytes; at + 12 <= bytes.byteLength; at += 12 + view.getUint32(at)) {
    const name = view.getUint32(at + 4)
    if (name === chunkNames.acTL) return view.getUint32(at + 8)
    if (name === chunkNames.IDAT) break
  }
  return 1
}

const signatureBytes = 8
/** As numbers: a hostile file has millions of chunks. */
const chunkNames = { acTL: 0x61_63_54_4c, IDAT: 0x49_44_41_54 }
