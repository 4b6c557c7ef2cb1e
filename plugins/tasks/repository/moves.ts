import type { Param, Tx } from '#core'
import { type Stage, type TaskStatus, type Transition, transitions } from '../states.ts'
import { type QaReport, type StageRef, type TaskRow, taskColumns } from './tasks.ts'

/** Columns that a move may set beside the status. */
export interface TaskChanges {
  stage?: Stage
  progress?: number
  attempt?: number
  feedback?: string | null
  reason?: string | null
  qa?: QaReport | null
  checked?: boolean
  awaiting_gate?: string | null
  post_id?: string
  publish_at?: string | null
  error?: string | null
}

/** A post that moved, and its slot now. */
export interface Slot {
  post_id: string
  published_at: string | null
}
export const givenSlots = `jsonb_to_recordset($1::jsonb) as given (post_id uuid, published_at timestamptz(3))`

/** A task after its move. `from`: where it was. */
export type MovedTask = TaskRow & { from: TaskStatus }
export type MovedTaskOfPost = Pick<TaskRow, 'task_id' | 'status'> & { post_id: string; from: TaskStatus }

/**
 * Makes a legal move, if the task is still where the move begins: of two racing moves one finds the row changed.
 * Undefined when it did not apply; nothing is changed then. `guard` narrows it to one stage of one attempt.
 */
export async function updateState(
  tx: Tx,
  name: Transition,
  { task_id, guard }: { task_id: string; guard: StageRef | null },
  changes: TaskChanges
): Promise<MovedTask | undefined> {
  const [row] = await updateStates<MovedTask>(tx, name, changes, {
    found: `tasks where task_id = $1 and ($4::text is null or stage || '/' || attempt = $4)`,
    params: [task_id, guard === null ? null : `${guard.stage}/${guard.attempt}`],
    returning: taskColumns
  })
  return row
}

/** The same for the tasks of many posts, which take their posts' slots; returns those it applied to. */
export function updateStatesOfPosts(
  tx: Tx,
  name: Transition,
  slots: readonly Slot[],
  changes: TaskChanges
): Promise<MovedTaskOfPost[]> {
  const given_slots = JSON.stringify(slots.map(({ post_id, published_at }) => ({ post_id, published_at })))
  return updateStates<MovedTaskOfPost>(tx, name, changes, {
    columns: ', given.published_at',
    found: `tasks join ${givenSlots} using (post_id) where $4::text is null`,
    params: [given_slots, null],
    // A published task keeps the slot it went out at.
    set: `publish_at = case when $2 = 'approved' or ($2 = 'published' and publish_at = was.published_at) then was.published_at end,`,
    returning: 'tasks.task_id, tasks.status, tasks.post_id'
  })
}

/** Which tasks a statement moves: `found` uses the parameters $1 and $4. */
interface Selection {
  columns?: string
  found: string
  params: readonly [Param, Param]
  set?: string
  returning: string
}

/** The one statement that changes where tasks are. They are locked in the order of their ids. */
function updateStates<Row extends object>(
  tx: Tx,
  name: Transition,
  changes: TaskChanges,
  { columns = '', found, params, set = '', returning }: Selection
): Promise<Row[]> {
  const { from, to } = transitions[name]
  const { qa, ...others } = changes
  const { assignments, values } = assign({ ...others, qa: qa && JSON.stringify(qa), status: to }, 5)
  // Feedback is on the text as it is, edits included. Only where that is edited is it surely the text of the post.
  const edited =
    changes.feedback === undefined ? '' : 'edited = false, post_edited = tasks.post_edited and not tasks.edited,'
  // A task that moves waits for no budget any more.
  const stage = changes.stage === undefined ? 'stage = coalesce(tasks.waiting_stage, tasks.stage),' : ''
  return tx.query<Row>(
    `update tasks set ${assignments}, ${set} ${edited} ${stage} waiting_stage = null, updated_at = now(),
       started_at = case when $2 = 'in_progress' then coalesce(tasks.started_at, now()) else tasks.started_at end,
       completed_at = case when $2 in ('published', 'rejected', 'rejected_final', 'dismissed', 'failed') then now() end
     from (
       select task_id, status as from_status ${columns} from ${found} and status = any($3::text[])
       order by task_id for update of tasks
     ) as was
     where tasks.task_id = was.task_id
     returning ${returning}, was.from_status as "from"`,
    [params[0], to, [...from], params[1], ...values]
  )
}

/** The assignments of a move's changes, from the parameter `first` on. */
function assign(
  changes: Readonly<Record<string, Param | undefined>>,
  first: number
): { assignments: string; values: Param[] } {
  const entries = Object.entries(changes).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  const assignments = entries.map(({ column }, index) => `${column} = $${first + index}`).join(', ')
  return { assignments, values: entries.map(({ value }) => value) }
}
