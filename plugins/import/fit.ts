import { asText, InputError } from '#core'
import type { ImportedPost, Posts } from '#plugins/posts'
import { cutText, oneLine } from '#text/excerpts'
import { convertHtml, requireSize, UnusableText } from './conversion/convert.ts'
import { readDate } from './dates.ts'
import type { SourcePost } from './source-post.ts'

/** A post that can be stored, with what had to be changed. */
export interface FittedPost {
  source: SourcePost
  post: ImportedPost
  notes: string[]
}

export interface FitContext {
  posts: Pick<Posts, 'render' | 'imports'>
  /** IANA zone of dates without an offset. */
  timeZone: string
  now: Date
}

/** Bounds of a post's fields, as those of an edit. */
const maxTitleLength = 300
const maxExcerptLength = 1000
const maxSeoDescriptionLength = 500
const maxAuthorLength = 200
const maxLabelLength = 60
const maxTags = 50

/** Makes a post of another system one of ours. @throws UnusableText when it cannot be, UnavailableError */
export async function fitPost(source: SourcePost, context: FitContext): Promise<FittedPost> {
  const notes = [...source.notes]
  const content = await markdownOf(source, notes)
  if (content === '') throw new UnusableText('has no text')
  const rendered = await renderIn(context.posts, content)
  const title = titleOf(source, rendered.heading, notes)
  const dates = datesOf(source, context, notes)
  const { category, tags } = labelsOf(source, notes)
  const post: ImportedPost = {
    slug: asText(source.slug),
    title,
    excerpt: cutOrNull(source.excerpt, maxExcerptLength),
    content,
    rendered,
    ...dates,
    category,
    tags,
    seo_title: cutOrNull(source.seo_title, maxTitleLength),
    seo_description: cutOrNull(source.seo_description, maxSeoDescriptionLength),
    featured_image_url: source.image,
    language: source.language,
    author: cutOrNull(source.authors.join(', '), maxAuthorLength)
  }
  return { source, post: withoutFaults(post, context, notes), notes }
}

async function markdownOf({ text: { format, value } }: SourcePost, notes: string[]): Promise<string> {
  requireSize(value)
  const text = asText(value)
  if (text !== value) notes.push('control characters were left out')
  if (format === 'markdown') return text.trim()
  const { markdown, elements } = await convertHtml(text)
  if (elements.length > 0) notes.push(`elements that are links now, or left out: ${elements.join(', ')}`)
  // A reference such as &#7; stands for what no text has.
  return asText(markdown)
}

async function renderIn(posts: Pick<Posts, 'render'>, content: string) {
  try {
    return await posts.render(content, 'import')
  } catch (error) {
    if (error instanceof InputError) throw new UnusableText(error.fields.content ?? error.message)
    throw error
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
function datesOf(source: SourcePost, { timeZone, now }: FitContext, notes: string[]) {
  const read = (text: string | null) => (text === null ? null : readDate(text, timeZone))
  const date = read(source.published_at)
  const created_at = read(source.created_at)
  const past = (each: Date | null) => (each !== null && each > now ? null : each)
  const faults = [
    source.is_public && source.published_at === null && 'it has no date, so it is a draft',
    source.published_at !== null && date === null && `${inQuotes(source.published_at)} is no date, so it is a draft`,
    source.is_public && date !== null && date > now && 'its date has not come, so it is a draft'
  ].filter(fault => fault !== false)
  notes.push(...faults)
  return {
    published_at: source.is_public && faults.length === 0 ? date : null,
    created_at: past(created_at ?? date),
    updated_at: past(read(source.updated_at) ?? date)
  }
}

const inQuotes = (text: string): string => JSON.stringify(cutText(text, 60))

/** A post has one category: the others become tags. */
function labelsOf(source: SourcePost, notes: string[]): { category: string | null; tags: string[] } {
  const fits = (label: string) => label !== '' && label.length <= maxLabelLength
  const [categories, tags] = [source.categories, source.tags].map(labels => labels.map(each => oneLine(asText(each))))
  const all = [...(categories ?? []), ...(tags ?? [])]
  const [category = null, ...others] = (categories ?? []).filter(fits)
  if (others.length > 0) notes.push(`further categories are tags: ${others.join(', ')}`)
  const kept = [...new Set([...others, ...(tags ?? []).filter(fits)])]
  const leftOut = all.filter(label => !fits(label)).length + Math.max(kept.length - maxTags, 0)
  if (leftOut > 0) notes.push(`${leftOut} labels were left out: too many, or over ${maxLabelLength} characters`)
  return { category, tags: kept.slice(0, maxTags) }
}

function cutOrNull(text: string | null, maxLength: number): string | null {
  const line = oneLine(asText(text ?? ''))
  return line === '' ? null : cutText(line, maxLength)
}

/** What a post may not have in a field is left out of it. */
function withoutFaults(post: ImportedPost, { posts }: FitContext, notes: string[]): ImportedPost {
  const faults = Object.keys(posts.imports.faultsOf(post)).map(field => field.split('.')[0] ?? field)
  if (faults.length === 0) return post
  notes.push(`left out, because they are not what a post may have: ${[...new Set(faults)].join(', ')}`)
  const nothing = { excerpt: null, category: null, tags: [], seo_title: null, seo_description: null }
  const empty = { ...nothing, featured_image_url: null, language: null, author: null }
  return { ...post, ...Object.fromEntries(Object.entries(empty).filter(([field]) => faults.includes(field))) }
}
