import { randomInt } from 'node:crypto'
import slugify from '@sindresorhus/slugify'

export const maxSlugLength = 80

/**
 * What the interface has in the place of a slug, in addresses and among exported files. No post has it whatever plugins are
 * there: one that is added later finds its addresses free.
 */
export const reservedSlugs: ReadonlySet<string> = new Set(['search', 'preview', 'suggest', 'index'])

const suffixLetters = 'abcdefghijkmnpqrstuvwxyz23456789'
const suffixLength = 5

/** Signs that tell names apart, spelled out: C++ and C# are not C. Only at the end of a word, where they belong to it. */
export function spelledOut(text: string): string {
  return text
    .replace(/(?<=[\p{L}\p{N}])\+\+(?![\p{L}\p{N}])/gu, ' plus plus')
    .replace(/(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu, ' sharp')
}

/** The slug a title asks for: lower-case ASCII words, cut between words; empty when the title has none. */
export function slugOf(title: string, maxLength = maxSlugLength): string {
  const slug = slugify(spelledOut(title), { decamelize: false })
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (slug.length <= maxLength) return slug
  const cut = slug.slice(0, maxLength + 1)
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), 0) || maxLength)
}

/** The same with a short random suffix; titles without ASCII words become `post-…`. */
export function suffixedSlug(title: string): string {
  return `${slugOf(title, maxSlugLength - suffixLength - 1) || 'post'}-${randomSuffix()}`
}

/** Slugs to try for a title, plainest first. */
export function* slugCandidates(title: string): Generator<string> {
  const plain = slugOf(title)
  if (plain !== '' && !reservedSlugs.has(plain)) yield plain
  while (true) yield suffixedSlug(title)
}

function randomSuffix(): string {
  return Array.from({ length: suffixLength }, () => suffixLetters.charAt(randomInt(suffixLetters.length))).join('')
}
