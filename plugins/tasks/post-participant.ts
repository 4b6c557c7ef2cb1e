import { ConflictError, type Tx } from '#core'
import { awaitingBudget, type Costs } from '#plugins/costs'
import { defaultGateName, type GateDecision, type Gates, type HoldCause } from '#plugins/gates'
import type {
  EditedPost,
  PostAction,
  PostDecision,
  PostParticipant,
  PostRef,
  Posts,
  TransitionedPost
} from '#plugins/posts'
import { draftSubject, taskDecision } from './gate-rows.ts'
import { moveTasksOfPosts } from './moves.ts'
import { endBudgetWaits } from './pipeline/budget.ts'
import type { MovedTaskOfPost, TaskChanges } from './repository/moves.ts'
import {
  type LockedTaskOfPost,
  listStatusesBeforeDismissal,
  lockTaskOfPost,
  setSlots,
  updateText
} from './repository/posts.ts'
import { isRejected, isWrittenAgain, restoringTransition, type Transition } from './states.ts'

/** Where a post's move takes its task. After an action that is not listed the task keeps its status. */
const transitionOf: Partial<Record<PostAction, Transition>> = {
  schedule: 'scheduled',
  reschedule: 'scheduled',
  release: 'post_published',
  publish: 'post_published',
  reopen: 'reopened',
  reject: 'slot_rejected',
  unpublish: 'unpublished',
  archive: 'archived'
}
const changesSlot: readonly PostAction[] = ['schedule', 'reschedule', 'clear']

interface FollowDeps {
  gates: Gates
  costs: Costs | undefined
  posts: Pick<Posts, 'readStored'>
}

type By = Pick<PostDecision, 'actor' | 'reason' | 'skipsChecks'>

/** Keeps tasks in step with their posts: each gets its post's status and text, in the same transaction. */
export function createPostParticipant(deps: FollowDeps): PostParticipant {
  const { gates } = deps
  return {
    async transitioned(tx, posts, by) {
      const drafted = posts.filter(({ task_id }) => task_id !== null)
      const restoring = await restoringTransitions(tx, drafted)
      const byTransition = Map.groupBy(drafted, ({ action, post_id }) => restoring.get(post_id) ?? transitionOf[action])
      for (const [transition, ofTransition] of byTransition) {
        if (transition !== undefined) await follow(deps, tx, transition, ofTransition, by)
      }
      const slots = drafted.filter(({ action }) => changesSlot.includes(action))
      if (slots.length > 0) await setSlots(tx, slots)
    },
    async edited(tx, post, { actor }) {
      if (post.task_id === null) return
      const task = await lockTaskOfPost(tx, post.post_id)
      if (task === undefined) return
      if (isTextChanged(post)) {
        refuseTextEdit(task, post.post_id)
        await updateText(tx, post, post.before)
      }
      // An unpublished post is a draft whose task waits: its gate row is written here, that of others by the posts.
      if (task.status !== 'awaiting_approval' || post.status !== 'draft') return
      await hold(gates, tx, [{ task_id: task.task_id, post }], { actor, reason: 'the content changed' })
    }
  }
}

/** By the id of its post, for the posts that leave the archive. */
async function restoringTransitions(tx: Tx, posts: readonly TransitionedPost[]): Promise<Map<string, Transition>> {
  const ids = posts.filter(({ action }) => action === 'restore').map(({ post_id }) => post_id)
  if (ids.length === 0) return new Map()
  const statuses = await listStatusesBeforeDismissal(tx, ids)
  return new Map(ids.map(post_id => [post_id, restoringTransition(statuses.get(post_id) ?? null)]))
}

async function follow(
  { gates, posts, costs }: FollowDeps,
  tx: Tx,
  name: Transition,
  moves: readonly TransitionedPost[],
  { actor, reason = null, skipsChecks = false }: By
): Promise<void> {
  const tasks = await moveTasksOfPosts(tx, moves, name, { actor, changes: changesOf(name, reason), reason })
  if (tasks.length === 0) return
  if (name === 'post_published' && !skipsChecks) for (const task of tasks) refuseRejectedDraft(task)
  const wereWritten = tasks.filter(({ from }) => from === 'in_progress')
  await endBudgetWaits(
    costs,
    tx,
    wereWritten.map(({ task_id }) => task_id)
  )
  const postOf = new Map(moves.map(post => [post.post_id, post]))
  const drafted = tasks.flatMap(task => {
    const post = postOf.get(task.post_id)
    return post === undefined ? [] : [{ ...task, post }]
  })
  if (name === 'post_published' || name === 'restored')
    for (const task of drafted) if (!hasPostText(task)) await copyPostText(posts, tx, task.post_id)
  if (name === 'unpublished' || name === 'restored')
    await hold(gates, tx, drafted, { actor, reason: reason ?? `it was ${name}` })
  else await gates.recordMany(tx, decisionsOn(drafted, { actor, reason }))
}

/** @throws ConflictError for a draft that was rejected or is being written again: only a decision that skips checks publishes it. */
function refuseRejectedDraft({ task_id, from, post_id }: MovedTaskOfPost): void {
  const isUnderWay = isWrittenAgain(from)
  if (!isUnderWay && !isRejected(from)) return
  throw new ConflictError(
    `Task ${task_id}, which wrote post ${post_id}, is ${from}: its draft ${isUnderWay ? 'is being written again' : 'was rejected'}. Publish it anyway with force (--force, "force": true). Nothing was changed.`,
    isUnderWay ? 'TASK_IN_PROGRESS' : 'TASK_ALREADY_REJECTED'
  )
}

const isTextChanged = ({ before, title, excerpt, content }: EditedPost): boolean =>
  before.title !== title || before.excerpt !== excerpt || before.content !== content

/** @throws ConflictError for the text of a draft that is being written again: what is written would replace the edit. */
function refuseTextEdit({ task_id, status, stage }: LockedTaskOfPost, post_id: string): void {
  if (status !== 'rejected_retry' && !isWrittenAgain(status)) return
  const wait = stage === awaitingBudget ? ' and waits for a budget' : ''
  throw new ConflictError(
    `Task ${task_id}, which wrote post ${post_id}, is ${status}${wait}: its draft is being written again, and would replace title, excerpt and content. Edit them when the task is done: awaiting_approval, rejected or failed. To edit them before, end it with "galley tasks cancel ${task_id}", which archives the post; "galley posts restore ${post_id}" makes it a draft again. Nothing was changed.`,
    'TASK_IN_PROGRESS'
  )
}

/** The task's text is its post's; in other statuses it may be another draft. */
const hasPostText = ({ from }: MovedTaskOfPost): boolean => from === 'awaiting_approval' || from === 'approved'

/** A task whose text may be another draft takes that of its published or restored post. */
async function copyPostText(posts: FollowDeps['posts'], tx: Tx, post_id: string): Promise<void> {
  const post = await posts.readStored(tx, post_id)
  if (post?.content === undefined) return
  const { title, excerpt, content } = post
  const text = { title, excerpt: excerpt ?? '', content }
  await updateText(tx, { post_id, ...text }, text)
}

function changesOf(name: Transition, reason: string | null): TaskChanges {
  switch (name) {
    case 'reopened':
      return { progress: 90, reason: reason ?? 'the content changed after the approval' }
    case 'unpublished':
    case 'restored':
      return { progress: 90, reason }
    case 'restored_rejected':
    case 'restored_finally_rejected':
      return { progress: 100, reason: reason ?? 'It was rejected before its post was archived.' }
    case 'slot_rejected':
      return { progress: 100, reason: reason ?? 'Rejected at its slot.' }
    case 'archived':
      return { reason: reason ?? 'Its post was archived.' }
    default:
      return { progress: 100, reason: null, error: null }
  }
}

/** The gate rows of unpublished drafts, which wait by their task only. Those of posts that await approval are the posts'. */
function decisionsOn(
  tasks: readonly (MovedTaskOfPost & { post: TransitionedPost })[],
  { actor, reason }: { actor: string; reason: string | null }
): GateDecision[] {
  return tasks.flatMap(({ task_id, from, status, post: { from: before, content_hash } }) => {
    if (from !== 'awaiting_approval' || before !== 'draft') return []
    const decision = status === 'published' ? 'approved' : 'cleared'
    return [taskDecision(defaultGateName, task_id, decision, { actor, reason, content_hash })]
  })
}

function hold(
  gates: Gates,
  tx: Tx,
  held: readonly { task_id: string; post: PostRef }[],
  cause: Omit<HoldCause, 'waits_again'>
): Promise<void> {
  const subjects = held.map(({ task_id, post }) => draftSubject(task_id, post))
  return gates.holdMany(tx, defaultGateName, subjects, { ...cause, waits_again: true })
}
