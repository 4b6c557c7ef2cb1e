import type { PostRow, SummaryRow } from '../repository/rows.ts'
import type { Links } from './links.ts'

/** A post in the shape of the contract, without its text. */
export function summaryOf(row: SummaryRow, links: Links) {
  return { ...headOf(row), ...restOf(row, links) }
}

/** A post in the shape of the contract. */
export function postOf(row: PostRow, links: Links) {
  return {
    ...headOf(row),
    content: links.withPictures(row.content),
    content_html: links.withPictures(row.content_html),
    ...restOf(row, links)
  }
}

/** A post without its text, and a whole one, in the shape of the contract. */
export type PostSummary = ReturnType<typeof summaryOf>
export type Post = ReturnType<typeof postOf>

const wordsPerMinute = 200

/** Minutes a text takes to read, at least 1. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / wordsPerMinute))
}

function headOf(row: SummaryRow) {
  // An excerpt is optional: the database keeps the empty text, readers get null.
  return { post_id: row.post_id, slug: row.slug, title: row.title, excerpt: row.excerpt === '' ? null : row.excerpt }
}

/** The first that a post has. */
const films = [
  { kind: 'video', extension: 'mp4' },
  { kind: 'video_short', extension: 'short.mp4' }
]

function restOf(row: SummaryRow, links: Links) {
  // Of a post that was withdrawn no file is served any more, though they are removed a moment later.
  const isOffered = row.status === 'published'
  const kinds = isOffered ? row.media : []
  const film = films.find(({ kind }) => kinds.includes(kind))
  return {
    status: row.status,
    category: row.category,
    tags: row.tags,
    seo_title: filled(row.seo_title),
    seo_description: filled(row.seo_description),
    seo_keywords: row.seo_keywords,
    featured_image_url: row.featured_image_url && links.withPictures(row.featured_image_url),
    published_at: row.published_at,
    ...(row.awaiting_gate === undefined ? {} : { awaiting_gate: row.awaiting_gate }),
    niche_slug: row.niche_slug,
    media: {
      podcast_url: kinds.includes('podcast') ? links.episode(row.post_id, 'mp3') : null,
      video_url: film === undefined ? null : links.episode(row.post_id, film.extension),
      ...(row.media_state === undefined ? {} : stateOf(row, isOffered))
    },
    word_count: row.word_count,
    reading_minutes: readingMinutes(row.word_count),
    language: row.language ?? links.siteLanguage(),
    author: row.author,
    ...(row.metadata === undefined ? {} : { metadata: metadataOf(row.metadata, row.niche_slug) }),
    created_at: row.created_at,
    updated_at: row.updated_at
  }
}

/** A blank one may have been stored before edits made it null: a page of it would have no title. */
const filled = (text: string | null): string | null => (text?.trim() === '' ? null : text)

const stateOf = ({ media_state = null, media_error = null }: SummaryRow, isOffered: boolean) =>
  isOffered ? { state: media_state, error: media_error } : { state: null, error: null }

/** The specification reads the niche from the metadata, too. */
function metadataOf(metadata: Record<string, unknown>, niche_slug: string | null) {
  return niche_slug === null ? metadata : { ...metadata, niche_slug }
}

/**
 * Strong entity tag of a post as it is read: every change of it counts the revision up, and settings decide its addresses and
 * its language. What clients with a token see has more in it, and so a tag of its own.
 */
export function entityTag(row: Pick<SummaryRow, 'post_id' | 'revision' | 'metadata'>, links: Links): string {
  return `"${postVersion(row)}.${links.settingsTag()}"`
}

/** That of what is stored, whatever the settings are. */
export function postVersion({
  post_id,
  revision,
  metadata
}: Pick<SummaryRow, 'post_id' | 'revision' | 'metadata'>): string {
  return `${post_id.slice(0, 8)}-${revision}${metadata === undefined ? '' : '-full'}`
}
