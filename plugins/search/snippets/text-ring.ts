/** Where a text stands: the bytes from the first that was ever written. */
export interface TextSpan {
  readonly from: number
  readonly length: number
}

/** The texts written last. */
export interface TextRing {
  /** Writes a text over the oldest ones. Undefined for one that takes more than a quarter of the memory. */
  write(text: string): TextSpan | undefined
  /** The text, unless others were written over it. */
  read(span: TextSpan): string | undefined
}

/** Texts in one array. As strings they left holes in the old heap when they were evicted: a third of it was unused. */
export function createTextRing(maxBytes: () => number): TextRing {
  let ring = Buffer.alloc(0)
  // Of the ring: what was written before it was made is gone.
  let first = 0
  let end = 0
  const resize = (bytes: number) => {
    first = end
    ring = Buffer.alloc(bytes)
  }
  return {
    write(text) {
      const length = Buffer.byteLength(text)
      const bytes = Math.floor(maxBytes())
      if (ring.length !== bytes) resize(bytes)
      if (length > ring.length / 4) return undefined
      const at = (end - first) % ring.length
      // A text stands in one piece.
      if (at + length > ring.length) end += ring.length - at
      const from = end
      ring.write(text, (from - first) % ring.length)
      end += length
      return { from, length }
    },
    read({ from, length }) {
      if (from < first || end - from > ring.length) return undefined
      const at = (from - first) % ring.length
      return ring.toString('utf8', at, at + length)
    }
  }
}
