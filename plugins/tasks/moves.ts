import type { Tx } from '#core'
import { awaitingBudget } from '#plugins/costs'
import type { TransitionedPost } from '#plugins/posts'
import { insertEvents } from './repository/events.ts'
import {
  type MovedTask,
  type MovedTaskOfPost,
  type TaskChanges,
  updateState,
  updateStatesOfPosts
} from './repository/moves.ts'
import {
  beginWaiting,
  endWaiting,
  insertTask,
  type NewTask,
  recordError,
  type StageRef,
  type TaskRow,
  updateStage
} from './repository/tasks.ts'
import type { Stage, Transition } from './states.ts'

/** Makes a task, queued or held at a gate, with its first history row. */
export async function addTask(
  tx: Tx,
  task: NewTask,
  { type, actor, gate = null }: { type: 'created' | 'proposed'; actor: string; gate?: string | null }
): Promise<TaskRow> {
  const row = await insertTask(tx, task, gate)
  const { task_id, status } = row
  await insertEvents(tx, [{ task_id, type, from: null, to: status, actor, detail: { source: task.source } }])
  return row
}

interface Move {
  actor: string
  changes?: TaskChanges
  /** The `detail` of its history row. */
  detail?: Record<string, unknown>
  /** Only from this stage of this attempt. */
  guard?: StageRef | null
}

/** Moves a task and writes its history in the same transaction; undefined when it was no longer where the move begins. */
export async function moveTask(
  tx: Tx,
  task_id: string,
  name: Transition,
  { actor, changes = {}, detail = {}, guard = null }: Move
): Promise<MovedTask | undefined> {
  const moved = await updateState(tx, name, { task_id, guard }, changes)
  if (moved === undefined) return undefined
  await insertEvents(tx, [{ task_id, type: name, from: moved.from, to: moved.status, actor, detail }])
  return moved
}

/** The same for the tasks of posts that moved; returns those it applied to. */
export async function moveTasksOfPosts(
  tx: Tx,
  moves: readonly TransitionedPost[],
  name: Transition,
  { actor, changes = {}, reason }: Pick<Move, 'actor' | 'changes'> & { reason: string | null }
): Promise<MovedTaskOfPost[]> {
  const tasks = await updateStatesOfPosts(tx, name, moves, changes)
  if (tasks.length === 0) return []
  const slotOf = new Map(moves.map(({ post_id, published_at }) => [post_id, published_at]))
  const history = tasks.map(({ task_id, from, status: to, post_id }) => {
    const publish_at = slotOf.get(post_id) ?? null
    const detail = name === 'scheduled' ? { publish_at } : { post_id, reason }
    return { task_id, type: name, from, to, actor, detail }
  })
  await insertEvents(tx, history)
  return tasks
}

/** Finishes one stage of one attempt and begins the next; false when the task is elsewhere by now. */
export async function finishStage(
  tx: Tx,
  task_id: string,
  at: StageRef,
  { next, ...by }: { next: Stage; actor: string; detail: object }
): Promise<boolean> {
  if (!(await updateStage(tx, task_id, at, next))) return false
  await insertEvents(tx, [stageEvent(task_id, `${at.stage}_done`, { attempt: at.attempt }, by)])
  return true
}

/** Records why a stage waits, and until when; false when the task is elsewhere by now. */
export async function postponeStage(
  tx: Tx,
  task_id: string,
  at: StageRef,
  { error, startAt, actor }: { error: string; startAt: Date; actor: string }
): Promise<boolean> {
  const tries_again_at = startAt.toISOString()
  if (!(await recordError(tx, task_id, at, `${error}; tries again at ${tries_again_at}`))) return false
  const { attempt, stage } = at
  await insertEvents(tx, [
    stageEvent(task_id, 'postponed', { attempt, stage }, { actor, detail: { error, tries_again_at } })
  ])
  return true
}

/** A stage waits for room in a budget, and `error` says which; false when the task is elsewhere by now. */
export async function waitForBudget(
  tx: Tx,
  task_id: string,
  at: StageRef,
  { error, actor }: { error: string; actor: string }
): Promise<boolean> {
  if (!(await beginWaiting(tx, task_id, at, error))) return false
  const { attempt, stage } = at
  await insertEvents(tx, [stageEvent(task_id, awaitingBudget, { attempt, stage }, { actor, detail: { error } })])
  return true
}

/** Goes on with the stage that waits; null when none does any more. */
export async function resumeStage(tx: Tx, task_id: string, actor: string): Promise<StageRef | null> {
  const at = await endWaiting(tx, task_id)
  if (at === null) return null
  await insertEvents(tx, [stageEvent(task_id, 'resumed', { ...at }, { actor, detail: {} })])
  return at
}

const stageEvent = (task_id: string, type: string, at: object, { actor, detail }: { actor: string; detail: object }) =>
  ({ task_id, type, from: 'in_progress', to: 'in_progress', actor, detail: { ...at, ...detail } }) as const
