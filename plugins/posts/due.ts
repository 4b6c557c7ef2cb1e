import { ConflictError, type Emit, type Tx } from '#core'
import { requireDecided } from './approval.ts'
import type { PostChanges } from './change.ts'
import { PostPassedOver, PostPublished, PostRejected } from './index.ts'
import type { LockedPost } from './repository/changes.ts'
import { countOverdue, isOverdueBy, listLateness } from './repository/lateness.ts'
import { lockDue, recordPassedOver } from './repository/state-changes.ts'
import { countHeld, listHeld } from './repository/waiting.ts'
import type { DuePosts } from './slot-services.ts'

export interface DueDeps {
  emit: Emit
  posts: PostChanges
  isNicheGated(): boolean
}

export function createDuePosts({ emit, posts, isNicheGated }: DueDeps): DuePosts {
  return {
    lock: (tx, limit) => lockDue(tx, limit, isNicheGated()),
    announce: (tx, published) => emit(tx, PostPublished, published),
    release: (tx, due, by) => posts.moveDue(tx, due, { action: 'release', ...by }),
    hold: (tx, due, gate_name, by) => posts.moveDue(tx, due, { action: 'hold', gate_name, ...by }),
    async passOver(tx, limit) {
      if (isNicheGated()) await emit(tx, PostPassedOver, await recordPassedOver(tx, limit))
    },
    listHeld,
    countHeld,
    async approveHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(posts, tx, post_id, gate_name)
      requireDecided(post, by)
      await posts.move(tx, post, 'release', by)
    },
    async rejectHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(posts, tx, post_id, gate_name)
      requireDecided(post, by)
      await posts.move(tx, post, 'withdraw', by)
      const { actor, reason = null } = by
      await emit(tx, PostRejected, [{ post_id, slug: post.slug, actor, reason }])
    },
    countOverdue: db => countOverdue(db, isNicheGated()),
    isOverdueBy: (db, seconds) => isOverdueBy(db, isNicheGated(), seconds),
    listLateness
  }
}

async function lockHeld(posts: PostChanges, tx: Tx, post_id: string, gate_name: string): Promise<LockedPost> {
  const post = await posts.lock(tx, post_id)
  if (post.awaiting_gate === gate_name) return post
  throw new ConflictError(
    `Post ${post_id} (${post.status}) does not wait at ${gate_name}: "schedule pending" lists those that do.`
  )
}
