/** In pixels. A page names those that are narrower than the picture. */
const renditionWidths: readonly number[] = [480, 960, 1920]

/** A smaller form of a stored picture. Its name follows from the picture's, which is the hash of its bytes. */
export interface RenditionName {
  /** File name of the picture. */
  source: string
  width: number
}

const sourcePattern = /^([0-9a-f]{64})\.(jpg|png|webp)$/
const renditionPattern = /^([0-9a-f]{64})-(jpg|png|webp)-(\d{3,4})\.webp$/

/** The names of all forms that a picture may have; none for a file that an operator put there, which may be changed. */
export function renditionsOf(filename: string): { filename: string; width: number }[] {
  const [, hash, extension] = sourcePattern.exec(filename) ?? []
  if (hash === undefined) return []
  return renditionWidths.map(width => ({ filename: `${hash}-${extension}-${width}.webp`, width }))
}

/** Null for what is no name of such a form. */
export function readRenditionName(filename: string): RenditionName | null {
  const [, hash, extension, digits] = renditionPattern.exec(filename) ?? []
  const width = Number(digits)
  return renditionWidths.includes(width) ? { source: `${hash}.${extension}`, width } : null
}
