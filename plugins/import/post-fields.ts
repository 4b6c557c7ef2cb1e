import { asText } from '#core'
import type { ImportedPost, Rendered } from '#plugins/posts'
import { cutText, oneLine } from '#text/excerpts'
import { readDate } from './dates.ts'
import type { SourcePost } from './source-post.ts'

/** Bounds of a post's fields, as those of an edit. */
const maxTitleLength = 300
const maxExcerptLength = 1000
const maxSeoDescriptionLength = 500
const maxAuthorLength = 200
const maxLabelLength = 60
const maxTags = 50

/** What dates are read by. */
export interface ReadingTime {
  /** IANA zone of dates without an offset. */
  timeZone: string
  now: Date
}

/** The fields of a post beside its text. What had to be changed is added to `notes`. */
export function fieldsOf(
  source: SourcePost,
  { heading }: Pick<Rendered, 'heading'>,
  clock: ReadingTime,
  notes: string[]
): Omit<ImportedPost, 'content' | 'rendered' | 'featured_image_url' | 'language'> {
  return {
    slug: asText(source.slug),
    title: titleOf(source, heading, notes),
    excerpt: cutOrNull(source.excerpt, maxExcerptLength),
    ...datesOf(source, clock, notes),
    ...labelsOf(source, notes),
    seo_title: cutOrNull(source.seo_title, maxTitleLength),
    seo_description: cutOrNull(source.seo_description, maxSeoDescriptionLength),
    author: cutOrNull(source.authors.join(', '), maxAuthorLength)
  }
}

function titleOf({ title, slug, name }: SourcePost, heading: string | null, notes: string[]): string {
  const given = oneLine(asText(title))
  if (given.length > maxTitleLength) notes.push(`the title is cut after ${maxTitleLength} characters`)
  if (hasWords(given)) return cutText(given, maxTitleLength)
  const made = [heading ?? '', slug.replaceAll(/[-_]+/g, ' '), name].map(text => oneLine(asText(text))).find(hasWords)
  if (heading === null) notes.push('it had no title')
  return cutText(made ?? 'Untitled', maxTitleLength)
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}\p{S}]/u.test(text)

/** A post is public only with a date that has passed: none is invented. */
function datesOf(source: SourcePost, clock: ReadingTime, notes: string[]) {
  const { timeZone, now } = clock
  const read = (text: string | null) => (text === null ? null : readDate(text, timeZone))
  const date = read(source.published_at)
  const past = (each: Date | null) => (each !== null && each > now ? null : each)
  const faults = dateFaults(source, clock)
  notes.push(...faults)
  const until = read(source.visible_until)
  if (source.is_public && faults.length === 0 && until !== null)
    notes.push(`it expires on ${inQuotes(source.visible_until ?? '')}: unpublish it then`)
  return {
    published_at: source.is_public && faults.length === 0 ? date : null,
    created_at: past(read(source.created_at) ?? date),
    updated_at: past(read(source.updated_at) ?? date)
  }
}

/** Why the dates of a post make it a draft. */
function dateFaults(source: SourcePost, { timeZone, now }: ReadingTime): string[] {
  const { is_public, published_at, visible_from, visible_until } = source
  const given = [published_at, visible_from, visible_until].filter(each => each !== null)
  const unreadable = given.filter(each => readDate(each, timeZone) === null)
  const read = (text: string | null) => (text === null ? null : readDate(text, timeZone))
  const until = read(visible_until)
  const isAhead = [published_at, visible_from].map(read).some(date => date !== null && date > now)
  return [
    is_public && published_at === null && 'it has no date, so it is a draft',
    ...[...new Set(unreadable)].map(each => `${inQuotes(each)} is no date, so it is a draft`),
    is_public && isAhead && 'its date has not come, so it is a draft',
    is_public && until !== null && until <= now && 'it has expired, so it is a draft'
  ].filter(fault => fault !== false)
}

const inQuotes = (text: string): string => JSON.stringify(cutText(text, 60))

/** A post has one category: the others become tags. */
function labelsOf(source: SourcePost, notes: string[]): { category: string | null; tags: string[] } {
  const fits = (label: string) => label !== '' && label.length <= maxLabelLength
  const [categories, tags] = [source.categories, source.tags].map(labels => labels.map(each => oneLine(asText(each))))
  const all = [...(categories ?? []), ...(tags ?? [])]
  const [category = null, ...others] = (categories ?? []).filter(fits)
  if (others.length > 0) notes.push(`further categories are tags: ${others.join(', ')}`)
  const allTags = [...new Set([...others, ...(tags ?? []).filter(fits)])]
  const leftOut = all.filter(label => !fits(label)).length + Math.max(allTags.length - maxTags, 0)
  if (leftOut > 0) notes.push(`${leftOut} labels were left out: too many, or over ${maxLabelLength} characters`)
  return { category, tags: allTags.slice(0, maxTags) }
}

function cutOrNull(text: string | null, maxLength: number): string | null {
  const line = oneLine(asText(text ?? ''))
  return line === '' ? null : cutText(line, maxLength)
}
