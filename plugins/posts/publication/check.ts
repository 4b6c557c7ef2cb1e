import { ConflictError, type Db, type Settings, type Tx } from '#core'
import type { PostDecision } from '../contract/post-ref.ts'
import type { ComparedPost, SimilarPost, SimilarPosts } from '../contract/similar-posts.ts'
import {
  findChecked,
  listApprovedSinceOldest,
  listDrafts,
  listRecentlyApproved,
  listScheduled,
  lockPublication
} from '../repository/compared.ts'
import type { LockedPost } from '../repository/locked-post.ts'
import type { postSettings } from '../settings.ts'

/** What blocks publishing a post, unless a person insists. */
interface PublicationBlocker {
  code: 'DUPLICATE_CONTENT' | 'NICHE_REQUIRED'
  message: string
}

/** A post, as far as it is checked. */
type CheckedPost = Pick<LockedPost, 'post_id' | 'slug' | 'title' | 'content' | 'status' | 'task_id' | 'niche_slug'>

/**
 * Looks at a post once more when it is to be published or gets a slot: others may have been published since it was drafted.
 * Near-duplicates are looked for among drafts of the pipeline; a post made by hand was compared when it was made.
 */
export interface PublicationCheck {
  /** Outside of every transaction, as the embedder and the search are asked. @throws ConflictError `DUPLICATE_CONTENT` */
  checkDuplicate(post_id: string, by: Pick<PostDecision, 'skipsChecks'>): Promise<void>
  /** What blocks a locked post now. Decisions take turns from here on, so that of two equal drafts the second finds the first. */
  blockerOf(tx: Tx, post: CheckedPost): Promise<PublicationBlocker | null>
  /** @throws ConflictError with the blocker, unless the decision skips checks */
  requirePublishable(tx: Tx, post: CheckedPost, by: Pick<PostDecision, 'skipsChecks'>): Promise<void>
  /**
   * The near-duplicates among many posts, by id. A draft is compared with the others before it, and with what was approved
   * since the oldest of them was made. Posts published before that were compared when the draft was checked.
   */
  duplicatesAmong(tx: Tx, posts: readonly Pick<CheckedPost, 'post_id'>[]): Promise<Map<string, PublicationBlocker>>
  /** Drafts at least so similar to another post are refused; null: none is. */
  setDuplicateThreshold(similarity: () => number | null): void
}

interface PublicationCheckDeps {
  db: Db
  settings: Settings<typeof postSettings>
  similar: Pick<SimilarPosts, 'nearestText' | 'nearestOf' | 'findDuplicates'>
}

/** Recently approved posts that are compared under the lock: the search may not know them yet. */
const recentHours = 1
const maxRecent = 50
const maxScheduled = 100
const maxApproved = 1000

export function createPublicationCheck(deps: PublicationCheckDeps): PublicationCheck {
  let duplicateThreshold: () => number | null = () => null
  const rules: Rules = { ...deps, duplicateThreshold: () => duplicateThreshold() }
  return {
    setDuplicateThreshold(similarity) {
      duplicateThreshold = similarity
    },
    async checkDuplicate(post_id, { skipsChecks = false }) {
      if (!skipsChecks) await refuseDuplicate(rules, post_id)
    },
    blockerOf: (tx, post) => blockerOf(rules, tx, post),
    duplicatesAmong: (tx, posts) => duplicatesAmong(rules, tx, posts),
    async requirePublishable(tx, post, { skipsChecks = false }) {
      const blocker = skipsChecks ? null : await blockerOf(rules, tx, post)
      if (blocker !== null) throw refused(blocker)
    }
  }
}

interface Rules extends PublicationCheckDeps {
  /** Drafts that are so like another are refused; null: none is. */
  duplicateThreshold(): number | null
}

const isDuplicate = ({ duplicateThreshold }: Rules, found: SimilarPost): boolean =>
  found.similarity >= (duplicateThreshold() ?? Number.POSITIVE_INFINITY)

/** Drafts of the pipeline are compared until they have a slot. */
const isCompared = (
  { duplicateThreshold }: Rules,
  { status, task_id }: Pick<CheckedPost, 'status' | 'task_id'>
): boolean => task_id !== null && duplicateThreshold() !== null && status !== 'scheduled' && status !== 'published'

function nearestOf(
  { similar }: Rules,
  { post_id, content }: Pick<CheckedPost, 'post_id' | 'content'>,
  rows: readonly ComparedPost[]
): SimilarPost | null {
  const others = rows.filter(row => row.post_id !== post_id)
  return similar.nearestOf(content, others)
}

async function refuseDuplicate(rules: Rules, post_id: string): Promise<void> {
  const { db, similar } = rules
  const post = await findChecked(db, post_id)
  if (post === undefined || !isCompared(rules, post)) return
  const [published, scheduled] = await Promise.all([
    similar.nearestText(post.title, post.content),
    listScheduled(db, maxScheduled)
  ])
  // Published by another between the two looks, it is the nearest to itself.
  const nearest = [published, nearestOf(rules, post, scheduled)]
  const duplicate = nearest.find(found => found !== null && found.post_id !== post_id && isDuplicate(rules, found))
  if (duplicate != null) throw refused(duplicateBlocker(post, duplicate))
}

async function blockerOf(rules: Rules, tx: Tx, post: CheckedPost): Promise<PublicationBlocker | null> {
  if (rules.settings.get('niche_gated_publishing') && post.niche_slug === null) return nicheMissing(post)
  if (!isCompared(rules, post)) return null
  await lockPublication(tx)
  const found = nearestOf(rules, post, await listRecentlyApproved(tx, recentHours, maxRecent))
  return found !== null && isDuplicate(rules, found) ? duplicateBlocker(post, found) : null
}

async function duplicatesAmong(
  rules: Rules,
  tx: Tx,
  posts: readonly Pick<CheckedPost, 'post_id'>[]
): Promise<Map<string, PublicationBlocker>> {
  if (rules.duplicateThreshold() === null || posts.length === 0) return new Map()
  const ids = posts.map(({ post_id }) => post_id)
  await lockPublication(tx)
  const drafts = new Map((await listDrafts(tx, ids)).map(row => [row.post_id, row]))
  const ordered = ids.flatMap(id => drafts.get(id) ?? [])
  const approved = await listApprovedSinceOldest(tx, ids, maxApproved)
  const duplicates = await rules.similar.findDuplicates(ordered, approved, found => isDuplicate(rules, found))
  return new Map(
    ordered.flatMap(draft => {
      const found = duplicates.get(draft.post_id)
      return found === undefined ? [] : [[draft.post_id, duplicateBlocker(draft, found)] as const]
    })
  )
}

const refused = ({ code, message }: PublicationBlocker) =>
  new ConflictError(
    `${message}, or decide so all the same with force (--force, "force": true). Nothing was changed.`,
    code
  )

const duplicateBlocker = (post: Pick<CheckedPost, 'slug'>, other: SimilarPost): PublicationBlocker => ({
  code: 'DUPLICATE_CONTENT',
  message: `${post.slug} nearly repeats the post ${other.slug} (“${other.title}”, ${Math.round(other.similarity * 100)} % similar): change or reject it`
})

const nicheMissing = ({ slug, post_id }: CheckedPost): PublicationBlocker => ({
  code: 'NICHE_REQUIRED',
  message: `${slug} has no niche_slug, and niche_gated_publishing is on: give it one (PATCH /api/posts/${post_id})`
})
