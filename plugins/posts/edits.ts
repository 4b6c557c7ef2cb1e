import {
  AppError,
  ConflictError,
  type Db,
  type FieldErrors,
  InputError,
  matchesIfMatch,
  schemaFaults,
  type Tx
} from '#core'
import { oneLine } from '#text/excerpts'
import type { PostDecision, PostLabels } from './contract/post-ref.ts'
import type { Rendered } from './contract/rendered.ts'
import { categoryOf, labelsOf } from './labels.ts'
import { refOf } from './posts.ts'
import type { Links } from './reads/links.ts'
import { postVersion } from './reads/representation.ts'
import { renderText, renderTexts } from './rendering/render-text.ts'
import { ensureCategory } from './repository/catalogue.ts'
import { type Edited, retireSlug, updateContent } from './repository/edits.ts'
import type { LockedPost } from './repository/locked-post.ts'
import { findLostSlot } from './repository/lost-slots.ts'
import { readTextAndExcerpt } from './repository/reads.ts'
import { PostPatch as PostPatchSchema } from './schemas.ts'
import { reservedSlugs } from './slug.ts'
import type { PostTransitions } from './transitions.ts'

/** The fields of a post that may be edited; null clears an optional one, an absent one stays. */
export interface PostPatch {
  title?: string
  slug?: string
  excerpt?: string | null
  content?: string
  category?: string | null
  tags?: readonly string[] | null
  seo_title?: string | null
  seo_description?: string | null
  seo_keywords?: readonly string[] | null
  featured_image_url?: string | null
  /** BCP 47; null for the setting site_language. */
  language?: string | null
  author?: string | null
  niche_slug?: string | null
}

/** What an edit did to the approval of a post. */
export interface EditOutcome {
  /** The gate that it waits at, now with its new content; null for none. */
  waitingGate: string | null
  /** It was approved and waits for approval again, without the slot that it had; null where it was not approved. */
  revokedApproval: { published_at: string | null } | null
}

export interface PostEdits {
  /**
   * Edits a post in any status. A slug given up leaves a redirect. An approved or scheduled post waits for approval again.
   * @throws AppError `PRECONDITION_FAILED` when `ifMatch` names none of its entity tags, ConflictError when the slug is taken.
   */
  edit(post_id: string, patch: PostPatch, by: PostDecision, ifMatch?: string): Promise<EditOutcome>
}

interface EditDeps {
  db: Db
  transitions: PostTransitions
  links: Pick<Links, 'withPictures'>
}

export function createPostEdits({ db, transitions, links }: EditDeps): PostEdits {
  return {
    edit: async (post_id, asked, by, ifMatch) => {
      refuseReserved(asked.slug)
      // Before the transaction: nobody waits for a lock while a text is rendered.
      const before = asked.content === undefined ? undefined : await readTextAndExcerpt(db, post_id)
      const prepared = await renderChanged(before, asStored(asked, before ?? {}, links), by.actor)
      try {
        return await db.transaction(async tx => {
          const post = await transitions.lock(tx, post_id)
          requireIfMatch(ifMatch, post)
          const patch = asStored(asked, post, links)
          const isPrepared = before?.content === post.content && before.excerpt === post.excerpt
          const { rendered, excerpt } = isPrepared ? prepared : await renderChanged(post, patch, by.actor)
          const written = await writeEdit(tx, transitions, post, { patch, rendered, excerpt }, by)
          return await reopenAfterEdit(tx, transitions, post, written, by)
        })
      } catch (error) {
        throw isTakenSlug(error) ? takenSlug(asked.slug ?? '', error) : error
      }
    }
  }
}

/** A program that read a post and sends it back has pictures at their present address: that is no edit. */
function asStored(
  patch: PostPatch,
  stored: Partial<Pick<LockedPost, 'content' | 'featured_image_url'>>,
  { withPictures }: Pick<Links, 'withPictures'>
): PostPatch {
  const isAsRead = (sent: unknown, text: string | null | undefined): text is string =>
    text != null && sent !== undefined && sent === withPictures(text)
  const { content, featured_image_url } = stored
  return {
    ...patch,
    ...(isAsRead(patch.content, content) && { content }),
    ...(isAsRead(patch.featured_image_url, featured_image_url) && { featured_image_url })
  }
}

/** What is rendered before an edit is written. */
interface RenderedEdit {
  /** The text; undefined when it is the post's already, whose HTML is stored. */
  rendered?: Rendered
  /** The one that is made of the text, where the excerpt was made of the text before. */
  excerpt?: string
}

async function renderChanged(
  post: Pick<LockedPost, 'content' | 'excerpt'> | undefined,
  { content, excerpt }: PostPatch,
  actor: string
): Promise<RenderedEdit> {
  if (content === undefined || post?.content === content) return {}
  const rendered = await renderText(content, actor)
  if (post === undefined || excerpt !== undefined || post.excerpt === '') return { rendered }
  // A text of before that cannot be rendered any more is no fault of the edit.
  const [before] = await renderTexts([post.content], actor)
  const isDerived = before !== undefined && 'excerpt' in before && before.excerpt === post.excerpt
  return isDerived ? { rendered, excerpt: rendered.excerpt } : { rendered }
}

/** An edit, with its text rendered where that was done before. */
interface Edit {
  patch: PostPatch
  rendered: Rendered | undefined
  /** The one that follows the text: no change that somebody made. */
  excerpt?: string | undefined
}

/** Writes what a patch changes, with history and event; nothing when it changes nothing. */
export async function writeEdit(
  tx: Tx,
  transitions: PostTransitions,
  post: LockedPost,
  { patch, rendered, excerpt }: Edit,
  by: PostDecision
): Promise<Written> {
  const merged = merge(post, patch)
  const edited = excerpt === undefined ? merged : { ...merged, excerpt }
  const isEdited = (name: string): name is keyof PostPatch => name in edited
  const fields = Object.keys(patch)
    .filter(isEdited)
    .filter(field => differs(post[field], edited[field]))
  if (fields.length === 0) return { ...edited, content_hash: post.content_hash, fields }
  const category = categoryOf(patch.category ?? null)
  if (category !== null) await ensureCategory(tx, category)
  // A text is rendered once: an edit of anything else leaves its HTML alone.
  const isNew = edited.content !== post.content
  const html = isNew ? (rendered ?? (await renderText(edited.content, by.actor))) : null
  const content_hash = await updateContent(tx, post.post_id, edited, html)
  if (edited.slug !== post.slug) await retireSlug(tx, post.post_id, post.slug, edited.slug)
  await recordEdit(tx, transitions, post, { ...edited, fields }, by)
  return { ...edited, content_hash, fields }
}

/** Writes the history of an edit, and the event of a public post. */
async function recordEdit(
  tx: Tx,
  transitions: PostTransitions,
  before: LockedPost,
  { fields, ...now }: Edited & Pick<Written, 'fields'>,
  { actor }: PostDecision
): Promise<void> {
  const { post_id, status, slug: previous_slug, is_public } = before
  await transitions.record(tx, post_id, {
    action: 'edit',
    from_status: status,
    to_status: status,
    actor,
    detail: { fields }
  })
  if (!is_public) return
  const left = labelsLeft(before, now)
  await transitions.emitEdited(tx, {
    post_id,
    slug: now.slug,
    actor,
    previous_slug,
    ...(left === null ? {} : { left })
  })
}

/** The category and tags that an edit took away; null for none. */
function labelsLeft(before: LockedPost, { category, tag_slugs }: Edited): PostLabels | null {
  const left = before.category === category ? null : before.category
  const tags = labelsOf(before.tags).flatMap(({ slug }) => (tag_slugs.includes(slug) ? [] : [slug]))
  return left === null && tags.length === 0 ? null : { category: left, tags }
}

/** What an edit left: the text as it is now, its hash, and the fields that changed. */
interface Written {
  slug: string
  title: string
  excerpt: string
  content: string
  content_hash: string
  fields: readonly string[]
}

/** After an edit by a person: the approval was of what was there before. Another niche is no other content. */
export async function reopenAfterEdit(
  tx: Tx,
  transitions: PostTransitions,
  before: LockedPost,
  now: Written,
  by: PostDecision
): Promise<EditOutcome> {
  const { slug, title, excerpt, content, content_hash, fields } = now
  if (content_hash === before.content_hash) return { revokedApproval: null, waitingGate: null }
  const text = { slug, title, content_hash }
  const edited = { ...refOf(before), ...text, task_id: before.task_id, excerpt, content, before }
  await transitions.updateParticipants(tx, edited, by)
  const post = { ...before, ...text }
  const changed = { actor: by.actor, reason: `the content changed: ${fields.join(', ')}` }
  const { status, awaiting_gate: waitingGate, published_at } = post
  if (waitingGate !== null) await transitions.holdAgain(tx, waitingGate, post, changed)
  else if (status === 'awaiting_approval') {
    const lost = await findLostSlot(tx, post.post_id)
    const waiting = { ...post, published_at: lost?.slot ?? null }
    await transitions.awaitApproval(tx, waiting, { ...changed, waits_again: true })
  }
  const isRevoked = waitingGate === null && (status === 'approved' || status === 'scheduled')
  if (isRevoked) await transitions.reopen(tx, post, changed, fields)
  return { revokedApproval: isRevoked ? { published_at } : null, waitingGate }
}

function merge(post: LockedPost, patch: PostPatch): Edited {
  const { title = post.title, slug = post.slug, content = post.content } = patch
  const { category = post.category, tags = post.tags, excerpt } = patch
  const { seo_title, seo_description, author } = patch
  const { seo_keywords = post.seo_keywords, featured_image_url = post.featured_image_url } = patch
  const { language = post.language, niche_slug = post.niche_slug } = patch
  const labels = labelsOf(tags ?? [])
  return {
    title,
    slug,
    content,
    excerpt: excerpt === undefined ? post.excerpt : (excerpt?.trim() ?? ''),
    category: categoryOf(category)?.slug ?? null,
    tags: labels.map(label => label.name),
    tag_slugs: labels.map(label => label.slug),
    // What is not edited stays as it is: another form of it would be other content, which nobody approved.
    seo_title: seo_title === undefined ? post.seo_title : lineOrNull(seo_title),
    seo_description: seo_description === undefined ? post.seo_description : lineOrNull(seo_description),
    seo_keywords: seo_keywords ?? [],
    featured_image_url,
    language,
    author: author === undefined ? post.author : lineOrNull(author),
    niche_slug: niche_slug?.trim() ?? null
  }
}

/** A field of one line; null for a blank one, which is what an emptied field of a form sends. */
export const lineOrNull = (text: string | null): string | null => (text === null ? null : oneLine(text) || null)

const differs = (before: unknown, after: unknown) => JSON.stringify(before) !== JSON.stringify(after)

/** @throws AppError when the client edits another state of the post than the present one. */
export function requireIfMatch(ifMatch: string | undefined, post: LockedPost): void {
  const { post_id, revision } = post
  const read = `"${postVersion({ post_id, revision })}"`
  const full = `"${postVersion({ post_id, revision, metadata: {} })}"`
  // What settings decide of it is nothing that could be edited.
  const versions = ifMatch?.replaceAll(/\.[\w-]{8}(?=")/g, '')
  if (versions === undefined || matchesIfMatch(versions, read) || matchesIfMatch(versions, full)) return
  throw new AppError(
    'PRECONDITION_FAILED',
    `The post has changed: its entity tag is ${full}. Read it again and repeat the change.`
  )
}

/** What is wrong with the fields of a patch, as the API tells of it; that it has none is not said. */
export function patchFaults(patch: PostPatch): FieldErrors {
  const { body: _, ...faults } = schemaFaults(PostPatchSchema, patch)
  const isReserved = patch.slug !== undefined && reservedSlugs.has(patch.slug)
  return isReserved ? { ...faults, slug: reservedFault(patch.slug ?? '') } : faults
}

function refuseReserved(slug: string | undefined): void {
  if (slug !== undefined && reservedSlugs.has(slug)) throw new InputError({ slug: reservedFault(slug) })
}

const reservedFault = (slug: string): string => `is reserved: ${slug} names another address`

export function takenSlug(slug: string, cause?: unknown): ConflictError {
  return new ConflictError(`The slug ${slug} belongs to another post: choose another.`, 'CONFLICT', { cause })
}

function isTakenSlug(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'posts_slug_key'
}
