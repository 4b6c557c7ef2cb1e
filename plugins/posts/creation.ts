import { createHash } from 'node:crypto'
import {
  AppError,
  ConflictError,
  type Db,
  type FieldErrors,
  InputError,
  type Settings,
  type Tx,
  visibleTextPattern
} from '#core'
import { oneLine } from '#text/excerpts'
import { mediaKinds } from './contract/post-ref.ts'
import type { Rendered } from './contract/rendered.ts'
import type { SimilarPosts } from './contract/similar-posts.ts'
import { lineOrNull, patchFaults, takenSlug } from './edits.ts'
import { categoryOf, labelsOf } from './labels.ts'
import { renderText } from './rendering/render-text.ts'
import { ensureCategory } from './repository/catalogue.ts'
import { findByBody, insertWithFreeSlug, lockBody, type NewPost } from './repository/creation.ts'
import type { postSettings } from './settings.ts'
import { suffixedSlug } from './slug.ts'
import { statusAfter } from './states.ts'
import type { PostTransitions } from './transitions.ts'

/** A hand-made post, as an operator submits it. */
export interface NewPostInput {
  /** Markdown. */
  body: string
  /** Default: the body's first H1. */
  title?: string | undefined
  /** Default: the slugified title with a short random suffix. */
  slug?: string | undefined
  niche?: string | undefined
  /** Default: from the first paragraph. */
  excerpt?: string | undefined
  status: 'draft' | 'awaiting_approval'
  category?: string | null | undefined
  tags?: readonly string[] | null | undefined
  seo_description?: string | null | undefined
  featured_image_url?: string | null | undefined
  /** BCP 47; default: the setting `site_language`. */
  language?: string | null | undefined
  author?: string | null | undefined
  /** Media to make for it; default: the setting `default_media_to_generate`. */
  media?: readonly string[] | undefined
  /** Leaves out the title check and the idempotency window. */
  allowsDuplicates: boolean
}

export interface PostCreation {
  /**
   * @returns the post's id; `created` is false when the same body by the same operator made it within the window.
   * @throws ConflictError `DUPLICATE_TITLE` when a published title is too near.
   */
  create(post: NewPostInput, by: { actor: string }): Promise<{ post_id: string; created: boolean }>
}

interface CreationDeps {
  db: Db
  settings: Settings<typeof postSettings>
  transitions: PostTransitions
  similar: Pick<SimilarPosts, 'nearestTitle'>
}

export function createPostCreation(deps: CreationDeps): PostCreation {
  return {
    create: async (input, { actor }) => {
      refuseEmpty(input)
      requireValid(input)
      // Before the transaction: nobody waits for a lock while a text is rendered.
      const rendered = await renderText(input.body, actor)
      const title = titleOf(input, rendered)
      const body_hash = createHash('sha256').update(`${actor}\0${input.body}`).digest('hex')
      if (!input.allowsDuplicates) {
        const earlier = await deps.db.transaction(tx => findEarlier(deps, tx, body_hash))
        if (earlier !== undefined) return { post_id: earlier, created: false }
        await refuseDuplicate(deps, title)
      }
      return deps.db.transaction(async tx => {
        await lockBody(tx, body_hash)
        const earlier = input.allowsDuplicates ? undefined : await findEarlier(deps, tx, body_hash)
        if (earlier !== undefined) return { post_id: earlier, created: false }
        return { post_id: await insert(deps, tx, { input, rendered, title, body_hash, actor }), created: true }
      })
    }
  }
}

async function refuseDuplicate({ similar, settings }: CreationDeps, title: string): Promise<void> {
  const nearest = await similar.nearestTitle(title)
  if (nearest === null || nearest.similarity < settings.get('create_post_dedup_threshold')) return
  const similarity = nearest.similarity.toFixed(2)
  const fault = `The title is too near to the published post "${nearest.title}" (${nearest.slug}, similarity ${similarity})`
  throw new ConflictError(`${fault}: choose another, or send "force": true.`, 'DUPLICATE_TITLE', {
    detail: `${fault}: choose another, or use --force.`
  })
}

/** The post that the same client made of the same body within the window. */
async function findEarlier({ settings }: CreationDeps, tx: Tx, body_hash: string): Promise<string | undefined> {
  if (!settings.get('cli_post_create_idempotency_enabled')) return undefined
  return findByBody(tx, body_hash, settings.get('cli_post_create_idempotency_window_minutes'))
}

async function insert({ transitions, settings }: CreationDeps, tx: Tx, made: RenderedInput): Promise<string> {
  const { input, title, actor } = made
  const category = categoryOf(input.category ?? null)
  if (category !== null) await ensureCategory(tx, category)
  const slugs = input.slug === undefined ? randomSlugs(title) : [input.slug]
  const post = { ...newPost(made), metadata: mediaMetadata(input, settings) }
  const inserted = await insertWithFreeSlug(tx, post, slugs)
  if (inserted === undefined) throw takenSlug(input.slug ?? title)
  const action = input.status === 'draft' ? 'create' : 'submit'
  await transitions.record(tx, inserted.post_id, {
    action,
    from_status: null,
    to_status: statusAfter(null, action),
    actor
  })
  if (inserted.status === 'awaiting_approval') await transitions.awaitApproval(tx, inserted, { actor })
  return inserted.post_id
}

function* randomSlugs(title: string): Generator<string> {
  while (true) yield suffixedSlug(title)
}

/** A hand-made post with what follows from it. */
interface RenderedInput {
  input: NewPostInput
  rendered: Rendered
  title: string
  body_hash: string
  actor: string
}

function newPost({ input, rendered, title, body_hash, actor }: RenderedInput): Omit<NewPost, 'slug' | 'metadata'> {
  const { content_html, word_count, excerpt } = rendered
  const tags = labelsOf(input.tags ?? [])
  return {
    title,
    excerpt: input.excerpt?.trim() ?? excerpt,
    content: input.body,
    content_html,
    word_count,
    status: input.status,
    category: categoryOf(input.category ?? null)?.slug ?? null,
    tags: tags.map(tag => tag.name),
    tag_slugs: tags.map(tag => tag.slug),
    seo_keywords: [],
    seo_description: lineOrNull(input.seo_description ?? null),
    featured_image_url: input.featured_image_url ?? null,
    language: input.language ?? null,
    author: lineOrNull(input.author ?? null),
    niche_slug: input.niche ?? null,
    task_id: null,
    body_hash,
    created_by: actor
  }
}

/** `posts.media` tells readers what there is; what is still to be made is metadata. */
function mediaMetadata(input: NewPostInput, settings: Settings<typeof postSettings>): Record<string, unknown> {
  const media = input.media ?? settings.get('default_media_to_generate').split(',').filter(Boolean)
  return media.length === 0 ? {} : { media_to_generate: media }
}

const hasVisibleText = (text: string): boolean => new RegExp(visibleTextPattern, 'u').test(text)

function refuseEmpty({ body }: NewPostInput): void {
  if (!hasVisibleText(body))
    throw new InputError({ body: 'is empty' }, 'The post has no body: give markdown with --from-file or on stdin.')
}

function titleOf({ title }: NewPostInput, { heading }: Rendered): string {
  const found = title === undefined ? heading : oneLine(title)
  if (found === null || !hasVisibleText(found)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'The post has no title: begin the field content with a markdown H1, or send the field title.',
      {
        fields: { title: 'is missing' },
        detail: 'The post has no title: begin the body with a markdown H1 or use --title.'
      }
    )
  }
  const { title: fault } = patchFaults({ title: found })
  if (fault !== undefined)
    throw new InputError(
      { title: fault },
      `The first heading of the text is the title of the post, and ${fault}: shorten it, or give a title.`
    )
  return found
}

/** What is wrong with what a hand-made post may be given beside its body. */
export function newPostFaults({
  title,
  slug,
  media
}: Partial<Pick<NewPostInput, 'title' | 'slug' | 'media'>>): FieldErrors {
  const unknown = media?.filter(kind => !mediaKinds.some(known => known === kind)) ?? []
  const names = unknown.map(kind => JSON.stringify(kind)).join(', ')
  return {
    ...(title === undefined ? {} : patchFaults({ title: oneLine(title) })),
    ...(slug === undefined ? {} : patchFaults({ slug })),
    ...(unknown.length === 0 ? {} : { media: `has ${names}: give some of ${mediaKinds.join(', ')}` })
  }
}

function requireValid(input: NewPostInput): void {
  const faults = newPostFaults(input)
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}
