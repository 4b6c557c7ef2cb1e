import { createHash } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { oneLine } from '#text/excerpts'
import { spelledOut } from './slug.ts'

const maxLabelSlugLength = 60

/** A label as readers see it and as addresses name it. */
export interface Label {
  slug: string
  name: string
}

/** A category or tag from what a person typed: blanks collapsed; null when nothing is left. */
export function labelOf(text: string): Label | null {
  const name = oneLine(text)
  if (name === '') return null
  const slug = slugify(spelledOut(name), { decamelize: false }).slice(0, maxLabelSlugLength).replace(/-+$/, '')
  // Scripts that do not transliterate leave no ASCII word: a hash keeps their slugs apart and stable.
  return { slug: /^[a-z0-9-]+$/.test(slug) ? slug : createHash('sha256').update(name).digest('hex').slice(0, 12), name }
}

/** Labels without repetitions: two that share a slug are one. */
export function labelsOf(texts: readonly string[]): Label[] {
  const bySlug = new Map<string, Label>()
  for (const text of texts) {
    const label = labelOf(text)
    if (label !== null && !bySlug.has(label.slug)) bySlug.set(label.slug, label)
  }
  return [...bySlug.values()]
}

/** A category given by its slug reads as words: `data-bases` becomes `Data bases`. */
export function categoryOf(text: string | null): Label | null {
  const label = text === null ? null : labelOf(text)
  if (label === null || label.name !== label.slug) return label
  const words = label.slug.replaceAll('-', ' ')
  return { slug: label.slug, name: words.charAt(0).toUpperCase() + words.slice(1) }
}
