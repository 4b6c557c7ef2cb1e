import { ConflictError, type Emit, type Tx } from '#core'
import { requireDecided } from '../approval.ts'
import type { DuePost, DuePosts } from '../contract/slots.ts'
import { PostRejected, PostSkipped } from '../index.ts'
import type { PlannedTransition } from '../planned-transition.ts'
import { countOverdue, isOverdueBy, listLateness } from '../repository/lateness.ts'
import type { LockedPost } from '../repository/locked-post.ts'
import { lockDue, recordSkipped } from '../repository/state-changes.ts'
import { analyzePosts } from '../repository/statistics.ts'
import { countHeld, listHeld } from '../repository/waiting.ts'
import type { PostTransitions } from '../transitions.ts'

interface DueDeps {
  emit: Emit
  transitions: PostTransitions
  deferAnnouncements: DuePosts['deferAnnouncements']
  isNicheGated(): boolean
}

export function createDuePosts({ emit, transitions, deferAnnouncements, isNicheGated }: DueDeps): DuePosts {
  return {
    lockDue: (tx, limit) => lockDue(tx, limit, isNicheGated()),
    deferAnnouncements,
    async publish(tx, due, { actor, announce }) {
      const approved = await reopenChanged(transitions, tx, due, actor)
      await transitions.applyMany(tx, approved.map(atSlot('release')), { actor }, { announce })
    },
    async hold(tx, due, gate_name, { actor }) {
      const approved = await reopenChanged(transitions, tx, due, actor)
      await transitions.applyMany(tx, approved.map(atSlot('hold')), { actor }, { gate_name })
    },
    async skipDue(tx, limit) {
      if (isNicheGated()) await emit(tx, PostSkipped, await recordSkipped(tx, limit))
    },
    analyze: analyzePosts,
    listHeld,
    countHeld,
    async approveHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(transitions, tx, post_id, gate_name)
      requireDecided(post, by)
      await transitions.apply(tx, { post, action: 'release' }, by)
    },
    async rejectHeld(tx, post_id, gate_name, by) {
      const post = await lockHeld(transitions, tx, post_id, gate_name)
      requireDecided(post, by)
      await transitions.apply(tx, { post, action: 'reject' }, by)
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
  (post: DuePost): PlannedTransition => ({ post, action, detail: { published_at: post.published_at } })

/** Has posts that are not as they were approved wait for approval again. @returns the others */
async function reopenChanged(
  transitions: PostTransitions,
  tx: Tx,
  due: readonly DuePost[],
  actor: string
): Promise<DuePost[]> {
  const changed = due.filter(post => !post.is_as_approved)
  for (const post of changed)
    await transitions.reopen(tx, post, { actor, reason: 'its content is not what was approved' }, [])
  return due.filter(post => post.is_as_approved)
}

async function lockHeld(transitions: PostTransitions, tx: Tx, post_id: string, gate_name: string): Promise<LockedPost> {
  const post = await transitions.lock(tx, post_id)
  if (post.awaiting_gate === gate_name) return post
  throw new ConflictError(
    `Post ${post_id} (${post.status}) does not wait at ${gate_name}: "gates pending" lists what does.`
  )
}
