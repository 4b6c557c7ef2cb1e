/** Which characters a set of fonts has glyphs for. */
export interface FontCoverage {
  add(font: Buffer): void
  has(codePoint: number): boolean
}

export function createFontCoverage(): FontCoverage {
  const bits = new Uint8Array(0x110000 / 8)
  const set = (code: number) => {
    if (code < 0x110000) bits[code >> 3] = (bits[code >> 3] ?? 0) | (1 << (code & 7))
  }
  return {
    add: font => markCoverage(font, set),
    has: code => ((bits[code >> 3] ?? 0) & (1 << (code & 7))) !== 0
  }
}

type Mark = (codePoint: number) => void

/** Reads the table `cmap` of a TrueType or OpenType font. @throws RangeError for a file that is no font, or is cut off */
function markCoverage(font: Buffer, mark: Mark): void {
  const cmap = tableAt(font, 'cmap')
  if (cmap === undefined) throw new RangeError('The font has no table of characters.')
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const record = cmap + 4 + index * 8
    const platform = font.readUInt16BE(record)
    const encoding = font.readUInt16BE(record + 2)
    // Unicode, of either platform: other encodings number their characters differently.
    const isUnicode = (platform === 0 && encoding < 5) || (platform === 3 && (encoding === 1 || encoding === 10))
    if (!isUnicode) continue
    const subtable = cmap + font.readUInt32BE(record + 4)
    const format = font.readUInt16BE(subtable)
    if (format === 4) markSegments(font, subtable, mark)
    if (format === 12) markGroups(font, subtable, mark)
  }
}

function tableAt(font: Buffer, name: string): number | undefined {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + index * 16
    if (font.toString('latin1', record, record + 4) === name) return font.readUInt32BE(record + 8)
  }
  return undefined
}

/** Format 4: segments of the first 65,536 characters. */
function markSegments(font: Buffer, subtable: number, mark: Mark): void {
  const doubled = font.readUInt16BE(subtable + 6)
  const ends = subtable + 14
  const starts = subtable + 16 + doubled
  for (let at = 0; at < doubled; at += 2) {
    const end = font.readUInt16BE(ends + at)
    const start = font.readUInt16BE(starts + at)
    const delta = font.readUInt16BE(starts + doubled + at)
    const offsetAt = starts + doubled * 2 + at
    const offset = font.readUInt16BE(offsetAt)
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const listed = offset === 0 ? code : font.readUInt16BE(offsetAt + offset + (code - start) * 2)
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff
      if (glyph !== 0) mark(code)
    }
  }
}

/** Format 12: groups of any characters. */
function markGroups(font: Buffer, subtable: number, mark: Mark): void {
  for (let index = 0; index < font.readUInt32BE(subtable + 12); index++) {
    const group = subtable + 16 + index * 12
    const start = font.readUInt32BE(group)
    const end = font.readUInt32BE(group + 4)
    const glyph = font.readUInt32BE(group + 8)
    for (let code = start; code <= Math.min(end, 0x10ffff); code++) if (glyph + code - start !== 0) mark(code)
  }
}
