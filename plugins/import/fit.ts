import { asText, InputError } from '#core'
import type { ImportedPost, Posts, Rendered } from '#plugins/posts'
import { plainWordsOf } from '#text'
import { convertHtml, sizeFault, UnusableText } from './conversion/convert.ts'
import { detectLanguages } from './conversion/language.ts'
import { takeImages } from './images/image-pass.ts'
import type { ImageTaker } from './images/image-taker.ts'
import { fieldsOf, type ReadingTime } from './post-fields.ts'
import type { SourcePost } from './source-post.ts'

/** A post that can be stored, with what had to be changed. */
export interface FittedPost {
  source: SourcePost
  post: ImportedPost
  notes: string[]
}

/** A post that cannot. `fault` completes its name. */
export interface UnfitPost {
  source: SourcePost
  fault: string
}

export interface FitContext extends ReadingTime {
  posts: Pick<Posts, 'renderMany' | 'imports'>
  images: ImageTaker
}

/** A post under work. */
interface Draft {
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
export async function fitPosts(
  sources: readonly SourcePost[],
  context: FitContext,
  client: string
): Promise<(FittedPost | UnfitPost)[]> {
  const drafts = sources.map(begin)
  await convertDrafts(drafts, client)
  await takeImages(drafts.filter(isFit), context.images, client)
  const rendered = await renderDrafts(drafts, context.posts, client)
  await detectOfDrafts(
    drafts.filter(draft => draft.language === null && rendered.has(draft)),
    context.posts,
    client
  )
  return drafts.map(draft => {
    const found = rendered.get(draft)
    const { source, notes, content, image, language, fault } = draft
    if (found === undefined || fault !== null) return { source, fault: fault ?? 'has no text' }
    const fields = fieldsOf(source, found, context, notes)
    const post = { ...fields, content, rendered: found, featured_image_url: image, language }
    return { source, post: withoutFaults(post, context, notes), notes }
  })
}

function begin(source: SourcePost): Draft {
  const { value } = source.text
  const notes = [...source.notes]
  const fault = sizeFault(value)?.message ?? null
  const content = fault === null ? asText(value) : ''
  if (fault === null && content !== value) notes.push('control characters were left out')
  const lines = content.replace(/\r\n?/g, '\n')
  return { source, notes, content: lines.trim(), image: source.image, language: source.language, fault }
}

const isFit = ({ fault, content }: Draft): boolean => fault === null && content !== ''

async function convertDrafts(drafts: readonly Draft[], client: string): Promise<void> {
  const html = drafts.filter(draft => draft.source.text.format === 'html' && isFit(draft))
  const converted = await convertHtml(
    html.map(({ content }) => content),
    client
  )
  for (const [index, draft] of html.entries()) {
    const found = converted[index]
    if (found === undefined || found instanceof UnusableText) {
      draft.fault = found?.message ?? null
      continue
    }
    const { markdown, elements } = found
    if (elements.length > 0) draft.notes.push(`elements that are links now, or left out: ${elements.join(', ')}`)
    // A reference such as &#7; stands for what no text has.
    draft.content = withOwnHeading(asText(markdown), draft.source.title)
  }
}

/** A text that begins with a heading of the first level has it as the title, so that readers would miss any other. */
function withOwnHeading(markdown: string, title: string): string {
  const [, heading] = /^# +(.*)/.exec(markdown) ?? []
  return heading === undefined || plainTitle(title) === '' || plainTitle(heading) === plainTitle(title)
    ? markdown
    : `#${markdown}`
}

const plainTitle = (text: string): string => plainWordsOf(text).join(' ')

async function renderDrafts(
  drafts: readonly Draft[],
  posts: Pick<Posts, 'renderMany'>,
  client: string
): Promise<Map<Draft, Rendered>> {
  const fit = drafts.filter(isFit)
  const rendered = await posts.renderMany(
    fit.map(({ content }) => content),
    client
  )
  const found = new Map<Draft, Rendered>()
  for (const [index, draft] of fit.entries()) {
    const each = rendered[index]
    if (each instanceof InputError) draft.fault = each.fields.content ?? each.message
    else if (each !== undefined) found.set(draft, each)
  }
  return found
}

/** A post that names no language gets the one it is written in, where that is certain and not the site's. */
async function detectOfDrafts(drafts: readonly Draft[], posts: Pick<Posts, 'imports'>, client: string): Promise<void> {
  const found = await detectLanguages(
    drafts.map(({ content }) => content),
    client
  )
  const [ofSite] = posts.imports.siteLanguage().toLowerCase().split('-')
  for (const [index, draft] of drafts.entries()) {
    const language = found[index] ?? null
    if (language === null || language === ofSite) continue
    draft.language = language
    draft.notes.push(`it names no language: by its words it is ${language}`)
  }
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
