import { asText, InputError } from '#core'
import type { ImportedPost, Posts, Rendered } from '#plugins/posts'
import { convertHtml, sizeFault, UnusableText } from './conversion/convert.ts'
import { detectLanguages } from './conversion/language.ts'
import { withLowerHeadings } from './conversion/lower-headings.ts'
import { takeImages } from './images/image-pass.ts'
import type { ImageTaker } from './images/image-taker.ts'
import { fieldsOf, type ReadingTime } from './post-fields.ts'
import type { SourcePost } from './source-post.ts'

/** A post that can be stored, with what had to be changed. */
export interface ConvertedPost {
  source: SourcePost
  post: ImportedPost
  notes: string[]
}

/** A post that cannot. `fault` completes its name. */
export interface UnusablePost {
  source: SourcePost
  fault: string
}

export interface ConversionContext extends ReadingTime {
  posts: Pick<Posts, 'renderMany' | 'imports'>
  images: ImageTaker
}

/** A post under work. */
interface Conversion {
  readonly source: SourcePost
  readonly notes: string[]
  /** As far as it is known. */
  content: string
  image: string | null
  language: string | null
  fault: string | null
}

/**
 * Makes posts of another system some of ours, in their order. `client` is whoever asks: each has one text at work.
 * @throws UnavailableError
 */
export async function convertPosts(
  sources: readonly SourcePost[],
  context: ConversionContext,
  client: string
): Promise<(ConvertedPost | UnusablePost)[]> {
  const conversions = sources.map(begin)
  await convertTexts(conversions, client)
  await takeImages(conversions.filter(isUsable), context.images, client)
  const rendered = await renderTexts(conversions, context.posts, client)
  await detectMissingLanguages(
    conversions.filter(conversion => conversion.language === null && rendered.has(conversion)),
    context.posts,
    client
  )
  return conversions.map(conversion => {
    const found = rendered.get(conversion)
    const { source, notes, content, image, language, fault } = conversion
    if (found === undefined || fault !== null) return { source, fault: fault ?? 'has no text' }
    const fields = fieldsOf(source, found, context, notes)
    const post = { ...fields, content, rendered: found, featured_image_url: image, language }
    return { source, post: withoutFaults(post, context, notes), notes }
  })
}

function begin(source: SourcePost): Conversion {
  const { value } = source.text
  const notes = [...source.notes]
  const fault = sizeFault(value)?.message ?? null
  const content = fault === null ? asText(value) : ''
  if (fault === null && content !== value) notes.push('control characters were left out')
  const lines = content.replace(/\r\n?/g, '\n')
  return { source, notes, content: lines.trim(), image: source.image, language: source.language, fault }
}

const isUsable = ({ fault, content }: Conversion): boolean => fault === null && content !== ''

async function convertTexts(conversions: readonly Conversion[], client: string): Promise<void> {
  const html = conversions.filter(conversion => conversion.source.text.format === 'html' && isUsable(conversion))
  const converted = await convertHtml(
    html.map(({ content }) => content),
    client
  )
  for (const [index, conversion] of html.entries()) {
    const found = converted[index]
    if (found === undefined || found instanceof UnusableText) {
      conversion.fault = found?.message ?? null
      continue
    }
    const { markdown, elements } = found
    if (elements.length > 0) conversion.notes.push(`elements that are links now, or left out: ${elements.join(', ')}`)
    // A reference such as &#7; stands for what no text has.
    conversion.content = asText(markdown)
  }
  for (const conversion of conversions.filter(isUsable))
    conversion.content = withLowerHeadings(conversion.content, conversion.source.title)
}

async function renderTexts(
  conversions: readonly Conversion[],
  posts: Pick<Posts, 'renderMany'>,
  client: string
): Promise<Map<Conversion, Rendered>> {
  const usable = conversions.filter(isUsable)
  const rendered = await posts.renderMany(
    usable.map(({ content }) => content),
    client
  )
  const found = new Map<Conversion, Rendered>()
  for (const [index, conversion] of usable.entries()) {
    const each = rendered[index]
    if (each instanceof InputError) conversion.fault = each.fields.content ?? each.message
    else if (each !== undefined) found.set(conversion, each)
  }
  return found
}

/** A post that names no language gets the one it is written in, where that is certain and not the site's. */
async function detectMissingLanguages(
  conversions: readonly Conversion[],
  posts: Pick<Posts, 'imports'>,
  client: string
): Promise<void> {
  const found = await detectLanguages(
    conversions.map(({ content }) => content),
    client
  )
  const [ofSite] = posts.imports.siteLanguage().toLowerCase().split('-')
  for (const [index, conversion] of conversions.entries()) {
    const language = found[index] ?? null
    if (language === null || language === ofSite) continue
    conversion.language = language
    conversion.notes.push(`it names no language: by its words it is ${language}`)
  }
}

/** What a post may not have in a field is left out of it. */
function withoutFaults(post: ImportedPost, { posts }: ConversionContext, notes: string[]): ImportedPost {
  const faults = Object.keys(posts.imports.faultsOf(post)).map(field => field.split('.')[0] ?? field)
  if (faults.length === 0) return post
  notes.push(`left out, because they are not what a post may have: ${[...new Set(faults)].join(', ')}`)
  const nothing = { excerpt: null, category: null, tags: [], seo_title: null, seo_description: null }
  const empty = { ...nothing, featured_image_url: null, language: null, author: null }
  return { ...post, ...Object.fromEntries(Object.entries(empty).filter(([field]) => faults.includes(field))) }
}
