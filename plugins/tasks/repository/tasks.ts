import type { Queryable, Tx } from '#core'
import { resolveId } from '#lists'
import { awaitingBudget } from '#plugins/costs'
import type { Draft, Source } from '../ports.ts'
import type { Qa } from '../rails/qa.ts'
import { type Stage, stages, type TaskStatus } from '../states.ts'

/** What the checks found, as it is stored and shown. */
export type QaReport = Omit<Qa, 'reason' | 'isConclusive'>

/** A row of `tasks`. Times are ISO 8601. */
export interface TaskRow {
  task_id: string
  topic: string
  category: string | null
  tags: string[]
  primary_keyword: string | null
  target_length: number
  style: string
  tone: string
  target_audience: string | null
  niche_slug: string | null
  status: TaskStatus
  awaiting_gate: string | null
  stage: Stage | typeof awaitingBudget | null
  progress: number
  attempt: number
  feedback: string | null
  reason: string | null
  qa: QaReport | null
  title: string | null
  excerpt: string | null
  content: string | null
  post_id: string | null
  publish_at: string | null
  error: string | null
  metadata: Record<string, unknown>
  created_at: string
  updated_at: string
  started_at: string | null
  completed_at: string | null
}

/** What a client may say about a task it creates. */
export interface NewTask {
  topic: string
  category: string | null
  tags: readonly string[]
  primary_keyword: string | null
  target_length: number
  style: string
  tone: string
  target_audience: string | null
  niche_slug: string | null
  source: string
  metadata: Record<string, unknown>
  /** Of a proposed topic: what it nearly repeats. */
  near_duplicate?: object | null
}

/** Everything but the long texts. The id names its table, because a move joins the rows it found. */
export const listColumns = `tasks.task_id, topic, category, tags, primary_keyword, target_length, style, tone, target_audience, niche_slug,
  status, awaiting_gate, stage, progress, attempt, feedback, reason, qa, title, excerpt, post_id, publish_at, error, metadata,
  created_at, updated_at, started_at, completed_at`
export const taskColumns = `${listColumns}, content`

/** Queues a task, or holds it at a gate. */
export async function insertTask(db: Queryable, task: NewTask, awaiting_gate: string | null = null): Promise<TaskRow> {
  const [row] = await db.query<TaskRow>(
    `insert into tasks (topic, category, tags, primary_keyword, target_length, style, tone, target_audience, niche_slug, source, metadata, near_duplicate,
       status, awaiting_gate)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning ${taskColumns}`,
    [
      task.topic,
      task.category,
      task.tags,
      task.primary_keyword,
      task.target_length,
      task.style,
      task.tone,
      task.target_audience,
      task.niche_slug,
      task.source,
      JSON.stringify(task.metadata),
      task.near_duplicate ? JSON.stringify(task.near_duplicate) : null,
      awaiting_gate === null ? 'pending' : 'awaiting_gate',
      awaiting_gate
    ]
  )
  if (row === undefined) throw new TypeError('The database returned no task that it inserted.')
  return row
}

export async function findTask(db: Queryable, task_id: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(`select ${taskColumns} from tasks where task_id = $1`, [task_id])
  return row
}

/** The full id for a task's id or a prefix of it. @throws InputError, NotFoundError, ConflictError `AMBIGUOUS_ID` */
export const resolveTaskId = (db: Queryable, text: string): Promise<string> => resolveId(db, 'tasks', 'task_id', text)

export async function lockTask(tx: Tx, task_id: string): Promise<TaskRow | undefined> {
  const [row] = await tx.query<TaskRow>(`select ${taskColumns} from tasks where task_id = $1 for update`, [task_id])
  return row
}

/** A stage of an attempt: a job that is left of an earlier attempt does not move the task. */
export interface StageRef {
  stage: Stage
  attempt: number
}

/** Begins the next stage; false when the task is not at this one any more. */
export async function updateStage(db: Queryable, task_id: string, at: StageRef, next: Stage): Promise<boolean> {
  const rows = await db.query(
    `update tasks set stage = $4, progress = $5, error = null, updated_at = now()
     where task_id = $1 and status = 'in_progress' and stage = $2 and attempt = $3 returning task_id`,
    [task_id, at.stage, at.attempt, next, stages[next]]
  )
  return rows.length > 0
}

/** Says why a stage waits; false when the task is not at it any more. */
export async function recordError(db: Queryable, task_id: string, at: StageRef, error: string): Promise<boolean> {
  const rows = await db.query(
    `update tasks set error = $4, updated_at = now()
     where task_id = $1 and status = 'in_progress' and stage = $2 and attempt = $3 returning task_id`,
    [task_id, at.stage, at.attempt, error]
  )
  return rows.length > 0
}

/** Lets a stage wait, and says for what; false when the task is not at it any more. */
export async function beginWaiting(db: Queryable, task_id: string, at: StageRef, error: string): Promise<boolean> {
  const rows = await db.query(
    `update tasks set waiting_stage = stage, stage = '${awaitingBudget}', error = $4, updated_at = now()
     where task_id = $1 and status = 'in_progress' and stage = $2 and attempt = $3 returning task_id`,
    [task_id, at.stage, at.attempt, error]
  )
  return rows.length > 0
}

/** Returns to the stage that waits; null when none does. */
export async function endWaiting(db: Queryable, task_id: string): Promise<StageRef | null> {
  const [row] = await db.query<StageRef>(
    `update tasks set stage = waiting_stage, waiting_stage = null, error = null, updated_at = now()
     where task_id = $1 and status = 'in_progress' and stage = '${awaitingBudget}' returning stage, attempt`,
    [task_id]
  )
  return row ?? null
}

/** Whether the task has a text that the checks were not done with: it is checked again, not written again. */
export async function hasUncheckedDraft(db: Queryable, task_id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from tasks where task_id = $1 and stage = 'qa' and not checked and content is not null`,
    [task_id]
  )
  return rows.length > 0
}

/** Whether a person has changed the draft since it was written, or since the feedback on it. */
export async function hasEditedDraft(db: Queryable, task_id: string): Promise<boolean> {
  const rows = await db.query('select 1 from tasks where task_id = $1 and edited', [task_id])
  return rows.length > 0
}

export async function saveSources(db: Queryable, task_id: string, sources: readonly Source[]): Promise<void> {
  await db.query('update tasks set sources = $2 where task_id = $1', [task_id, JSON.stringify(sources)])
}

export async function findSources(db: Queryable, task_id: string): Promise<Source[]> {
  const [row] = await db.query<{ sources: Source[] }>('select sources from tasks where task_id = $1', [task_id])
  return row?.sources ?? []
}

export async function saveDraft(db: Queryable, task_id: string, draft: Draft): Promise<void> {
  await db.query(
    `update tasks set title = $2, excerpt = $3, content = $4, checked = false, edited = false,
       metadata = metadata || jsonb_build_object('writer', $5::text, 'source_ids', $6::jsonb, 'is_extractive', $7::boolean)
     where task_id = $1`,
    [
      task_id,
      draft.title,
      draft.excerpt,
      draft.content,
      draft.model,
      JSON.stringify(draft.source_ids),
      draft.isExtractive ?? false
    ]
  )
}

/** Texts are in memory; a finished task keeps only what names them. */
export async function dropSourceTexts(db: Queryable, task_id: string): Promise<void> {
  await db.query(
    `update tasks set sources = coalesce((select jsonb_agg(element.value - 'text') from jsonb_array_elements(sources) as element), '[]')
     where task_id = $1`,
    [task_id]
  )
}

/** The draft is the text of its post from now on. */
export async function linkPost(db: Queryable, task_id: string, post_id: string): Promise<void> {
  await db.query('update tasks set post_id = $2, post_edited = false where task_id = $1', [task_id, post_id])
}

/** Tasks that the pipeline is not done with, oldest first, without those that wait for a budget. */
export function listUnfinishedTasks(
  db: Queryable
): Promise<Pick<TaskRow, 'task_id' | 'status' | 'stage' | 'attempt' | 'updated_at'>[]> {
  return db.query(
    `select task_id, status, stage, attempt, updated_at from tasks
     where status in ('pending', 'in_progress', 'rejected_retry') and stage is distinct from '${awaitingBudget}' order by created_at, task_id`
  )
}

/** Ids of tasks from `first` to `last`, in order. */
export async function listTaskIds(db: Queryable, first: string, last: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ task_id: string }>(
    'select task_id from tasks where task_id between $1 and $2 order by task_id limit $3',
    [first, last, limit]
  )
  return rows.map(({ task_id }) => task_id)
}

/** How many tasks are in each status; one that none is in is left out. */
export function countByStatus(db: Queryable): Promise<{ status: string; tasks: number }[]> {
  return db.query('select status, count(*) as tasks from tasks group by status order by status')
}
