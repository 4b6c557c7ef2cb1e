import { createHash } from 'node:crypto'
import { ConflictError, type Db, type FieldErrors, InputError, type Settings, type Tx, visibleTextPattern } from '#core'
import { patchFaults, takenSlug } from './edits.ts'
import type { SimilarPosts } from './index.ts'
import { categoryOf, labelsOf } from './labels.ts'
import type { PostMoves } from './moves.ts'
import type { Rendered } from './rendering/render.ts'
import { renderText } from './rendering/render-text.ts'
import { ensureCategory } from './repository/catalogue.ts'
import { findByBody, insertWithFreeSlug, lockBody, type NewPost } from './repository/changes.ts'
import type { postSettings } from './settings.ts'
import { suffixedSlug } from './slug.ts'
import { statusAfter } from './states.ts'

export const mediaKinds = ['podcast', 'video', 'video_short'] as const

/** A hand-made post, as an operator hands it in. */
export interface HandMadePost {
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
  /** Media to make for it; default: the setting `default_media_to_generate`. */
  media?: readonly string[] | undefined
  /** Leaves out the title check and the idempotency window. */
  force: boolean
}

export interface PostCreation {
  /**
   * @returns the post's id; `created` is false when the same body by the same operator made it within the window.
   * @throws ConflictError `DUPLICATE_TITLE` when a published title is too near.
   */
  create(post: HandMadePost, by: { actor: string }): Promise<{ post_id: string; created: boolean }>
}

export interface CreationDeps {
  db: Db
  settings: Settings<typeof postSettings>
  posts: PostMoves
  similar: Pick<SimilarPosts, 'nearestTitle'>
}

export function createPostCreation(deps: CreationDeps): PostCreation {
  return {
    create: async (hand, { actor }) => {
      refuseEmpty(hand)
      // Before the transaction: nobody waits for a lock while a text is rendered.
      const rendered = await renderText(hand.body, actor)
      const title = titleOf(hand, rendered)
      refuseUnfit(hand)
      const body_hash = createHash('sha256').update(`${actor}\0${hand.body}`).digest('hex')
      if (!hand.force) {
        const earlier = await deps.db.transaction(tx => findEarlier(deps, tx, body_hash))
        if (earlier !== undefined) return { post_id: earlier, created: false }
        await refuseDuplicate(deps, title)
      }
      return deps.db.transaction(async tx => {
        await lockBody(tx, body_hash)
        const earlier = hand.force ? undefined : await findEarlier(deps, tx, body_hash)
        if (earlier !== undefined) return { post_id: earlier, created: false }
        return { post_id: await insert(deps, tx, { hand, rendered, title, body_hash, actor }), created: true }
      })
    }
  }
}

async function refuseDuplicate({ similar, settings }: CreationDeps, title: string): Promise<void> {
  const nearest = await similar.nearestTitle(title)
  if (nearest === null || nearest.similarity < settings.get('create_post_dedup_threshold')) return
  const similarity = nearest.similarity.toFixed(2)
  throw new ConflictError(
    `The title is too near to the published post "${nearest.title}" (${nearest.slug}, similarity ${similarity}): choose another, or use --force.`,
    'DUPLICATE_TITLE'
  )
}

/** The post that the same client made of the same body within the window. */
async function findEarlier({ settings }: CreationDeps, tx: Tx, body_hash: string): Promise<string | undefined> {
  if (!settings.get('cli_post_create_idempotency_enabled')) return undefined
  return findByBody(tx, body_hash, settings.get('cli_post_create_idempotency_window_minutes'))
}

async function insert({ posts, settings }: CreationDeps, tx: Tx, made: Made): Promise<string> {
  const { hand, title, actor } = made
  const category = categoryOf(hand.category ?? null)
  if (category !== null) await ensureCategory(tx, category)
  const slugs = hand.slug === undefined ? randomSlugs(title) : [hand.slug]
  const post = { ...newPost(made), metadata: mediaMetadata(hand, settings) }
  const inserted = await insertWithFreeSlug(tx, post, slugs)
  if (inserted === undefined) throw takenSlug(hand.slug ?? title)
  const action = hand.status === 'draft' ? 'create' : 'submit'
  await posts.record(tx, inserted.post_id, { action, from_status: null, to_status: statusAfter(null, action), actor })
  if (inserted.status === 'awaiting_approval') await posts.awaitApproval(tx, inserted, { actor })
  return inserted.post_id
}

function* randomSlugs(title: string): Generator<string> {
  while (true) yield suffixedSlug(title)
}

/** A hand-made post with what follows from it. */
interface Made {
  hand: HandMadePost
  rendered: Rendered
  title: string
  body_hash: string
  actor: string
}

function newPost({ hand, rendered, title, body_hash, actor }: Made): Omit<NewPost, 'slug' | 'metadata'> {
  const { content_html, word_count, excerpt } = rendered
  const tags = labelsOf(hand.tags ?? [])
  return {
    title,
    excerpt: hand.excerpt?.trim() ?? excerpt,
    content: hand.body,
    content_html,
    word_count,
    status: hand.status,
    category: categoryOf(hand.category ?? null)?.slug ?? null,
    tags: tags.map(tag => tag.name),
    tag_slugs: tags.map(tag => tag.slug),
    seo_keywords: [],
    niche_slug: hand.niche ?? null,
    task_id: null,
    body_hash,
    created_by: actor
  }
}

/** `posts.media` tells readers what there is; what is still to be made is metadata. */
function mediaMetadata(hand: HandMadePost, settings: Settings<typeof postSettings>): Record<string, unknown> {
  const media = hand.media ?? settings.get('default_media_to_generate').split(',').filter(Boolean)
  return media.length === 0 ? {} : { media_to_generate: media }
}

function refuseEmpty({ body }: HandMadePost): void {
  if (body.trim() === '')
    throw new InputError({ body: 'is empty' }, 'The post has no body: give markdown with --from-file or on stdin.')
}

function titleOf({ title }: HandMadePost, { heading }: Rendered): string {
  const found = title === undefined ? heading : oneLine(title)
  if (found === null || !new RegExp(visibleTextPattern, 'u').test(found)) {
    throw new InputError(
      { title: 'is missing' },
      'The post has no title: begin the body with a markdown H1 or use --title.'
    )
  }
  if (found.length > 300) throw new InputError({ title: `is ${found.length} characters long; the longest is 300` })
  return found
}

/** What is wrong with what a hand-made post may be given beside its body. */
export function handFaults({
  title,
  slug,
  media
}: Partial<Pick<HandMadePost, 'title' | 'slug' | 'media'>>): FieldErrors {
  const unknown = media?.filter(kind => !mediaKinds.some(known => known === kind)) ?? []
  const names = unknown.map(kind => JSON.stringify(kind)).join(', ')
  return {
    ...(title === undefined ? {} : patchFaults({ title: oneLine(title) })),
    ...(slug === undefined ? {} : patchFaults({ slug })),
    ...(unknown.length === 0 ? {} : { media: `has ${names}: give some of ${mediaKinds.join(', ')}, short` })
  }
}

const oneLine = (title: string): string => title.trim().replace(/\s+/g, ' ')

function refuseUnfit(hand: HandMadePost): void {
  const faults = handFaults(hand)
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}
