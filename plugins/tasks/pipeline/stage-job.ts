import { asText, type Db, type Emit, type Enqueue, type JobType, type Log, type Tx } from '#core'
import type { Costs } from '#plugins/costs'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import type { Posts } from '#plugins/posts'
import { cutText } from '#text/excerpts'
import type { ApprovalDeps } from '../approval.ts'
import { TaskFailed } from '../index.ts'
import type { StageJob } from '../job-types.ts'
import { finishStage, moveTask, postponeStage } from '../moves.ts'
import type { Assignment, Rail, Writer } from '../ports.ts'
import type { QaSettings } from '../rails/qa.ts'
import { findTask, type StageRef, type TaskRow } from '../repository/tasks.ts'
import type { Stage } from '../states.ts'

/** What the pipeline runs with. */
export interface PipelineDeps extends ApprovalDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  log: Log
  posts: Posts
  gates: Gates
  memory: Memory | undefined
  costs: Costs | undefined
  writer(): Writer
  rails(): readonly Rail[]
  qaSettings(): QaSettings
  maxSources(): number
  /** Null: a human decides whatever the score. */
  minAutoPublishScore(): number | null
  now(): Date
}

/** Who the pipeline's own moves are recorded for. */
export const actor = 'pipeline'

/** The task, if it is still at this stage of this attempt; null when it is not. */
export async function findTaskAtStage(db: Db, job: StageJob, stage: Stage): Promise<TaskRow | null> {
  const task = await findTask(db, job.task_id)
  return task?.status === 'in_progress' && task.stage === stage && task.attempt === job.attempt ? task : null
}

/** Finishes a stage and begins the next, unless the task is elsewhere by now; `work` joins the transaction. */
export async function advanceStage(
  deps: PipelineDeps,
  job: StageJob,
  from: Stage,
  to: Stage,
  detail: object,
  work: (tx: Tx) => Promise<void>
): Promise<void> {
  const { task_id, attempt } = job
  await deps.db.transaction(async tx => {
    if (await finishStage(tx, task_id, { stage: from, attempt }, { next: to, actor, detail })) await work(tx)
  })
}

/** Runs a stage again later, unless the task is elsewhere by now: its `error` says what it waits for, and until when. */
export async function postpone(
  deps: PipelineDeps,
  { type, stage, job }: { type: JobType<StageJob>; stage: Stage; job: StageJob & { tries: number } },
  fault: string,
  startAt: Date
): Promise<void> {
  const { task_id, attempt } = job
  const error = cutText(asText(fault), 1900)
  await deps.db.transaction(async tx => {
    if (await postponeStage(tx, task_id, { stage, attempt }, { error, startAt, actor }))
      await deps.enqueue(tx, type, job, { startAt })
  })
}

/** Ends a task that cannot be drafted, saying why. `at`: the stage that cannot be done; null: it was never taken out of the queue. */
export async function fail(deps: PipelineDeps, task_id: string, at: StageRef | null, error: Error): Promise<void> {
  const message = cutText(asText(error.message), 2000)
  // What an endpoint said itself is the cause: here, and not in the task, which clients read.
  deps.log.warn({ err: error, task_id }, 'a task is given up')
  await deps.db.transaction(async tx => {
    const task = await moveTask(tx, task_id, at === null ? 'pickup_failed' : 'failed', {
      actor,
      changes: { error: message },
      detail: { error: message },
      guard: at
    })
    if (task !== undefined) await deps.emit(tx, TaskFailed, { task_id, actor, topic: task.topic, error: message })
  })
}

/** What the writer and the checks get to know of the task; `previous` is the draft that feedback was given on. */
export function assignmentOf(
  { memory }: Pick<PipelineDeps, 'memory'>,
  task: TaskRow,
  { sources, previous }: Pick<Assignment, 'sources' | 'previous'>
): Assignment {
  return {
    topic: task.topic,
    category: task.category,
    tags: task.tags,
    primary_keyword: task.primary_keyword,
    target_length: task.target_length,
    style: task.style,
    tone: task.tone,
    target_audience: task.target_audience,
    feedback: task.feedback,
    previous,
    sources,
    hasMemory: memory !== undefined
  }
}
