import { canonicalNotes } from '../canonical.ts'
import { allNote, type GatedText, partNote } from '../gated-parts.ts'
import { emptyPost, type SourceItem, type SourcePost } from '../source-post.ts'
import { textOfHtml } from '../text-of-html.ts'
import { htmlOf, shortcodesIn } from './classic-text.ts'
import { withFootnotes } from './footnotes.ts'
import { gatingShortcodesIn, restrictionsIn, withoutMemberViews } from './restrictions.ts'
import { withLiteralShortcodes, withoutShortcodes } from './shortcodes.ts'

/** An `item` of the export, with the texts of its elements by their names. */
export interface WordpressItem {
  texts: Record<string, string>
  labels: { domain: string; name: string }[]
  meta: Record<string, string>
  /** Names of meta that say that not everybody may read it. */
  restrictions: Set<string>
  /** Each time that its slug was changed there is one more. */
  formerSlugs: string[]
  /** An element had more text than any post may have. */
  isTooLarge: boolean
}

/** Statuses of what never was, or no longer is, a post. */
const noPosts = new Set(['trash', 'auto-draft', 'inherit'])

export function itemOf(item: WordpressItem, authors: ReadonlyMap<string, string>, pictureNumber: string): SourceItem {
  const { texts } = item
  const title = textOfHtml(texts.title ?? '')
  const name = title || texts['wp:post_name'] || texts.link || 'a post without a title'
  const status = texts['wp:status'] ?? ''
  if (texts['wp:post_type'] === 'page') return { kind: 'left', name, reason: 'is a page' }
  if (noPosts.has(status)) return { kind: 'left', name, reason: `is ${status}` }
  if (item.isTooLarge) return { kind: 'failed', name, reason: 'has more text than a post may have' }
  // A copy of a post has the same guid.
  const id = [texts.guid || texts.link, texts['wp:post_id']].filter(Boolean).join('#')
  if (id === '') return { kind: 'failed', name, reason: 'has no id' }
  const { html, gated, restrictions, shown } = contentOf(item)
  const text = { format: 'html', value: withFootnotes(html, item.meta.footnotes) } as const
  const thumbnail = item.meta._thumbnail_id
  const post: SourcePost = {
    ...emptyPost({ id, name, text }),
    ...headOf(item, title),
    is_public: isPublished(texts) && gated !== 'all' && restrictions.length === 0,
    ...datesOf(texts),
    authors: [authors.get(texts['dc:creator'] ?? '') ?? texts['dc:creator'] ?? ''].filter(Boolean),
    image: thumbnail === undefined ? null : `${pictureNumber}${thumbnail}`,
    addresses: addressesOf(item),
    notes: [
      ...gateNotesOf({ gated, restrictions, shown }),
      ...notesOf(item, text.value),
      ...canonicalNotes(item.meta._yoast_wpseo_canonical || (item.meta.rank_math_canonical_url ?? null), {
        url: texts.link || null,
        addresses: []
      })
    ]
  }
  return { kind: 'post', post }
}

/** More cannot become a post, and is not worked on here. */
const maxTextLength = 1_048_576

/** `restrictions`: why not everybody may have read it. `shown`: what would be one outside of code. */
type Content = GatedText & { restrictions: readonly string[]; shown: readonly string[] }

function contentOf({ texts, restrictions }: WordpressItem): Content {
  const { 'content:encoded': text = '', 'wp:post_id': id = '' } = texts
  if (text.length > maxTextLength) return { html: text, gated: 'nothing', restrictions: [], shown: [] }
  const open = withoutMemberViews(withLiteralShortcodes(text))
  return {
    html: htmlOf(withoutShortcodes(open.html, id)),
    gated: open.gated,
    restrictions: [...restrictions, ...restrictionsIn(open)],
    shown: gatingShortcodesIn(open.html).inCode
  }
}

function gateNotesOf({ gated, restrictions, shown }: Omit<Content, 'html'>): string[] {
  const notes = [
    gated === 'part' && partNote,
    gated === 'all' && allNote,
    restrictions.length > 0 && `not everybody may have read it, so it is a draft: ${restrictions.join(', ')}`,
    shown.length > 0 && `shortcodes in its code were taken for text: ${shown.join(', ')}`
  ]
  return notes.filter(note => note !== false)
}

const isPublished = (texts: WordpressItem['texts']): boolean =>
  texts['wp:status'] === 'publish' && !texts['wp:post_password']

function headOf({ texts, labels, meta }: WordpressItem, title: string) {
  const named = (domain: string) => labels.filter(label => label.domain === domain).map(({ name }) => textOfHtml(name))
  // What every post has that was given none.
  const categories = named('category').filter(name => name !== 'Uncategorized')
  return {
    title,
    slug: decoded(texts['wp:post_name'] ?? ''),
    excerpt: textOfHtml(texts['excerpt:encoded'] ?? '') || null,
    categories,
    tags: named('post_tag'),
    seo_title: templated(meta._yoast_wpseo_title),
    seo_description: templated(meta._yoast_wpseo_metadesc)
  }
}

/** Texts with variables of a plugin say nothing without it. */
const templated = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.includes('%%') ? null : text

/** In UTC where the export has it; the others are local to the site. A draft has zeros. */
function datesOf(texts: WordpressItem['texts']) {
  const timeOf = (utc: string, local: string) => {
    const isSet = (text: string | undefined): text is string => text !== undefined && /[1-9]/.test(text)
    return isSet(texts[utc]) ? texts[utc].replace(/(?<=:\d\d)$/, 'Z') : isSet(texts[local]) ? texts[local] : null
  }
  const published_at = timeOf('wp:post_date_gmt', 'wp:post_date')
  return {
    published_at,
    created_at: published_at,
    updated_at: timeOf('wp:post_modified_gmt', 'wp:post_modified')
  }
}

/** More of a post are hardly somebody's links. */
const maxFormerSlugs = 50

/** Where readers found it, also by its number and under the slugs that it had before. */
function addressesOf({ texts, formerSlugs }: WordpressItem): string[] {
  const { link = '', guid = '', 'wp:post_id': id = '' } = texts
  // Its guid has the path that the blog lay under.
  const short = /^\d+$/.test(id) ? [`/?p=${id}`, ...(guid.endsWith(`?p=${id}`) ? [guid] : [])] : []
  if (link === '' || /[?&]p=\d/.test(link)) return [link, ...short]
  const former = formerSlugs.map(slug => slug.replace(/[^\w%-]/g, '')).filter(Boolean)
  const under = (slug: string) => link.replace(/[^/]+(\/?)$/, `${slug}$1`)
  return [link, ...short, ...former.slice(-maxFormerSlugs).map(under)]
}

function notesOf({ texts }: WordpressItem, html: string): string[] {
  const shortcodes = shortcodesIn(html.replace(/<pre[\s>][\s\S]*?<\/pre>/gi, ''))
  const dataBlocks = dataBlocksIn(html)
  const notes = [
    Boolean(texts['wp:post_password']) && 'a password protects it there, so it is a draft',
    texts['wp:status'] === 'private' && 'it is private there, and is a draft',
    texts['wp:status'] === 'future' && 'it was scheduled there, and is a draft',
    /<!-- wp:block\s/.test(html) && 'reusable blocks were left out',
    dataBlocks.length > 0 && `blocks without HTML were left out: ${dataBlocks.join(', ')}`,
    shortcodes.length > 0 && `shortcodes stay in the text as they are: ${shortcodes.join(', ')}`
  ]
  return notes.filter(note => note !== false)
}

/** Blocks that WordPress, or a plugin, makes from data when somebody reads. Those of a template have no text of an author. */
const dataBlock =
  /<!--\s+wp:(?:(acf\/[\w-]{1,60})\s|(?!(?:block|more|nextpage|spacer|separator|read-more|template-part|jetpack\/paywall|(?:premium-content\/|(?:post|query|comments?)-)[\w-]{1,40})\s)([a-z][\w/-]{0,100})\s(?:(?!-->|<!--)[\s\S])*\/-->)/g

const dataBlocksIn = (html: string): string[] => [
  ...new Set([...html.matchAll(dataBlock)].map(([, acf, name]) => acf ?? name ?? ''))
]

/** Slugs of other scripts are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
