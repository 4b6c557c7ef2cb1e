import type { Tx } from '#core'
import type { PostMove } from '#plugins/posts'
import { insertEvents } from './repository/events.ts'
import {
  type FollowedTask,
  type MovedTask,
  type TaskChanges,
  updateState,
  updateStatesOfPosts
} from './repository/moves.ts'
import type { Stage, Transition } from './states.ts'

interface Move {
  actor: string
  changes?: TaskChanges
  /** What its history row tells. */
  detail?: Record<string, unknown>
  /** Only from this step of this attempt. */
  guard?: { stage: Stage; attempt: number } | null
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

/** The same for the tasks of posts that moved; answers those it applied to. */
export async function moveTasksOfPosts(
  tx: Tx,
  moves: readonly PostMove[],
  name: Transition,
  { actor, changes = {}, reason }: Pick<Move, 'actor' | 'changes'> & { reason: string | null }
): Promise<FollowedTask[]> {
  const tasks = await updateStatesOfPosts(tx, name, moves, changes)
  if (tasks.length === 0) return []
  const slotOf = new Map(moves.map(({ post_id, published_at }) => [post_id, published_at]))
  const history = tasks.map(({ task_id, from, status: to, post_id }) => {
    const publish_at = slotOf.get(post_id) ?? null
    const detail = name === 'approved_for_later' ? { publish_at } : { post_id, reason }
    return { task_id, type: name, from, to, actor, detail }
  })
  await insertEvents(tx, history)
  return tasks
}
