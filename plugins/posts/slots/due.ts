import { ConflictError, type Emit, type Tx } from '#core'
import { requireDecided } from '../approval.ts'
import { PostPassedOver, PostPublished, PostRejected } from '../index.ts'
import type { Move } from '../move.ts'
import type { PostMoves } from '../moves.ts'
import type { LockedPost } from '../repository/changes.ts'
import { countOverdue, isOverdueBy, listLateness } from '../repository/lateness.ts'
import { lockDue, recordPassedOver } from '../repository/state-changes.ts'
import { countHeld, listHeld } from '../repository/waiting.ts'
import type { DuePost, DuePosts } from './services.ts'

export interface DueDeps {
  emit: Emit
  posts: PostMoves
  isNicheGated(): boolean
}

export function createDuePosts({ emit, posts, isNicheGated }: DueDeps): DuePosts {
  return {
    lock: (tx, limit) => lockDue(tx, limit, isNicheGated()),
    announce: (tx, published) => emit(tx, PostPublished, published),
    async release(tx, due, { actor, announce }) {
      const approved = await reopenOthers(posts, tx, due, actor)
      await posts.moveMany(tx, approved.map(atSlot('release')), { actor }, { announce })
    },
    async hold(tx, due, gate_name, { actor }) {
      const approved = await reopenOthers(posts, tx, due, actor)
      await posts.moveMany(tx, approved.map(atSlot('hold')), { actor }, { gate_name })
    },
    async passOver(tx, limit) {
      if (isNicheGated()) await emit(tx, PostPassedOver, await recordPassedOver(tx, limit))
    },
    listHeld,
    countHeld,
    async approveHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(posts, tx, post_id, gate_name)
      requireDecided(post, by)
      await posts.move(tx, { post, action: 'release' }, by)
    },
    async rejectHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(posts, tx, post_id, gate_name)
      requireDecided(post, by)
      await posts.move(tx, { post, action: 'reject' }, by)
      const { actor, reason = null } = by
      await emit(tx, PostRejected, [{ post_id, slug: post.slug, actor, reason }])
    },
    countOverdue: db => countOverdue(db, isNicheGated()),
    isOverdueBy: (db, seconds) => isOverdueBy(db, isNicheGated(), seconds),
    listLateness
  }
}

const atSlot =
  (action: 'release' | 'hold') =>
  (post: DuePost): Move => ({ post, action, detail: { published_at: post.published_at } })

/** Those that are as they were approved; the others wait for approval again. */
async function reopenOthers(posts: PostMoves, tx: Tx, due: readonly DuePost[], actor: string): Promise<DuePost[]> {
  const others = due.filter(post => !post.is_as_approved)
  for (const post of others) await posts.reopen(tx, post, { actor, reason: 'its content is not what was approved' }, [])
  return due.filter(post => post.is_as_approved)
}

async function lockHeld(posts: PostMoves, tx: Tx, post_id: string, gate_name: string): Promise<LockedPost> {
  const post = await posts.lock(tx, post_id)
  if (post.awaiting_gate === gate_name) return post
  throw new ConflictError(
    `Post ${post_id} (${post.status}) does not wait at ${gate_name}: "schedule pending" lists those that do.`
  )
}
