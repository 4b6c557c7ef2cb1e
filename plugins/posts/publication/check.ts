import { ConflictError, type Db, type Settings, type Tx } from '#core'
import type { ComparedPost, PostDecision, SimilarPost, SimilarPosts } from '../index.ts'
import type { LockedPost } from '../repository/changes.ts'
import {
  findChecked,
  listDecidedSince,
  listDrafts,
  listScheduled,
  listSignedOffSince,
  lockPublication
} from '../repository/compared.ts'
import type { postSettings } from '../settings.ts'

/** What speaks against publishing a post, unless a person insists. */
export interface Objection {
  code: 'DUPLICATE_CONTENT' | 'NICHE_REQUIRED'
  message: string
}

/** A post, as far as it is checked. */
export type CheckedPost = Pick<
  LockedPost,
  'post_id' | 'slug' | 'title' | 'content' | 'status' | 'task_id' | 'niche_slug'
>

/**
 * Looks at a post once more when it is to be published or gets a slot: others may have gone out since it was drafted.
 * Near-duplicates are looked for among drafts of the pipeline; a post made by hand was compared when it was made.
 */
export interface PublicationCheck {
  /** Outside of every transaction, as the embedder and the search are asked. @throws ConflictError `DUPLICATE_CONTENT` */
  before(post_id: string, by: Pick<PostDecision, 'force'>): Promise<void>
  /** What speaks against a locked post now. Decisions take turns from here on, so that of two equal drafts the second finds the first. */
  objectionTo(tx: Tx, post: CheckedPost): Promise<Objection | null>
  /** @throws ConflictError with the objection, unless it is forced */
  within(tx: Tx, post: CheckedPost, by: Pick<PostDecision, 'force'>): Promise<void>
  /**
   * What speaks against each of many posts, by its id. A draft is compared with the others before it, and with what was
   * signed off since the oldest of them was made: what was public then its checks have seen.
   */
  objectionsTo(tx: Tx, posts: readonly Pick<CheckedPost, 'post_id'>[]): Promise<Map<string, Objection>>
  /** Has drafts refused that are so like another; null: none is. */
  refuseFrom(similarity: () => number | null): void
}

export interface PublicationCheckDeps {
  db: Db
  settings: Settings<typeof postSettings>
  similar: Pick<SimilarPosts, 'nearestText' | 'nearestOf' | 'findDuplicates'>
}

/** Texts of posts that were decided on since a decision was begun: the search may not know them yet. */
const maxRecent = 50
const maxScheduled = 100
const maxSignedOff = 1000

export function createPublicationCheck({ db, settings, similar }: PublicationCheckDeps): PublicationCheck {
  let duplicateFrom: () => number | null = () => null
  const isDuplicate = (found: SimilarPost | null): boolean =>
    found !== null && found.similarity >= (duplicateFrom() ?? Number.POSITIVE_INFINITY)
  const mayRepeat = (post: Pick<CheckedPost, 'status' | 'task_id'>): boolean =>
    post.task_id !== null && duplicateFrom() !== null && !['scheduled', 'published'].includes(post.status)
  const nearestOf = ({ post_id, content }: Pick<CheckedPost, 'post_id' | 'content'>, rows: readonly ComparedPost[]) =>
    similar.nearestOf(
      content,
      rows.filter(row => row.post_id !== post_id)
    )
  const objectionTo: PublicationCheck['objectionTo'] = async (tx, post) => {
    if (settings.get('niche_gated_publishing') && post.niche_slug === null) return nicheMissing(post)
    if (!mayRepeat(post)) return null
    await lockPublication(tx)
    const found = nearestOf(post, await listDecidedSince(tx, maxRecent))
    return found !== null && isDuplicate(found) ? repeats(post, found) : null
  }
  return {
    refuseFrom(similarity) {
      duplicateFrom = similarity
    },
    async before(post_id, { force = false }) {
      const post = force ? undefined : await findChecked(db, post_id)
      if (post === undefined || !mayRepeat(post)) return
      const [published, scheduled] = await Promise.all([
        similar.nearestText(post.title, post.content),
        listScheduled(db, maxScheduled)
      ])
      // Published by another between the two looks, it is the nearest to itself.
      const nearest = [published, nearestOf(post, scheduled)]
      const duplicate = nearest.find(found => found?.post_id !== post_id && isDuplicate(found))
      if (duplicate != null) throw refused(repeats(post, duplicate))
    },
    objectionTo,
    async objectionsTo(tx, posts) {
      if (duplicateFrom() === null || posts.length === 0) return new Map()
      const ids = posts.map(({ post_id }) => post_id)
      await lockPublication(tx)
      const drafts = new Map((await listDrafts(tx, ids)).map(row => [row.post_id, row]))
      const ordered = ids.flatMap(id => drafts.get(id) ?? [])
      const signedOff = await listSignedOffSince(tx, ids, maxSignedOff)
      const duplicates = await similar.findDuplicates(ordered, signedOff, isDuplicate)
      return new Map(
        ordered.flatMap(draft => {
          const found = duplicates.get(draft.post_id)
          return found === undefined ? [] : [[draft.post_id, repeats(draft, found)] as const]
        })
      )
    },
    async within(tx, post, { force = false }) {
      if (force) return
      const objection = await objectionTo(tx, post)
      if (objection !== null) throw refused(objection)
    }
  }
}

const refused = ({ code, message }: Objection) =>
  new ConflictError(
    `${message}, or decide so all the same with force (--force, "force": true). Nothing was changed.`,
    code
  )

const repeats = (post: Pick<CheckedPost, 'slug'>, other: SimilarPost): Objection => ({
  code: 'DUPLICATE_CONTENT',
  message: `${post.slug} nearly repeats the post ${other.slug} (“${other.title}”, ${Math.round(other.similarity * 100)} % alike): change or reject it`
})

const nicheMissing = ({ slug, post_id }: CheckedPost): Objection => ({
  code: 'NICHE_REQUIRED',
  message: `${slug} has no niche_slug, and niche_gated_publishing is on: give it one (PATCH /api/posts/${post_id})`
})
