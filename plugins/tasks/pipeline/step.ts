import type { Db, Emit, Enqueue, JobType, Log, Tx } from '#core'
import { jobType } from '#core'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import type { Posts } from '#plugins/posts'
import type { ApprovalDeps } from '../approval.ts'
import { TaskFailed } from '../index.ts'
import { finishStage, moveTask, postponeStage } from '../moves.ts'
import type { QaSettings } from '../rails/qa.ts'
import { findTask, type StageOfAttempt, type TaskRow } from '../repository/tasks.ts'
import type { Stage } from '../states.ts'
import { cutTo, storable } from '../text.ts'
import type { Assignment, Rail, Writer } from './ports.ts'

/** One step of one attempt at a task. */
export interface Step {
  task_id: string
  attempt: number
  /** How often what it asks has not answered; absent for never. */
  tries?: number
}
/** Takes a new task out of the queue. */
export const pickup = jobType<{ task_id: string }>('tasks.pickup')
/** Takes a task that was sent back. */
export const reclaim = jobType<{ task_id: string }>('tasks.reclaim')
export const research = jobType<Step>('tasks.research')
export const write = jobType<Step>('tasks.draft')
export const check = jobType<Step>('tasks.qa')

/** What the pipeline runs with. */
export interface PipelineDeps extends ApprovalDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  log: Log
  posts: Posts
  gates: Gates
  memory: Memory | undefined
  writer(): Writer
  rails(): readonly Rail[]
  qaSettings(): QaSettings
  maxSources(): number
  /** Null: a human decides whatever the score. */
  autoPublishFrom(): number | null
  now(): Date
}

/** Who the pipeline's own moves are recorded for. */
export const actor = 'pipeline'

/** The task, if it still waits for this step; null when it moved on. */
export async function taskAt(db: Db, step: Step, stage: Stage): Promise<TaskRow | null> {
  const task = await findTask(db, step.task_id)
  return task?.status === 'in_progress' && task.stage === stage && task.attempt === step.attempt ? task : null
}

/** Finishes a step and begins the next, unless the task has moved on; `work` joins the transaction. */
export async function moveOn(
  deps: PipelineDeps,
  step: Step,
  from: Stage,
  to: Stage,
  detail: object,
  work: (tx: Tx) => Promise<void>
): Promise<void> {
  const { task_id, attempt } = step
  await deps.db.transaction(async tx => {
    if (await finishStage(tx, task_id, { stage: from, attempt }, { next: to, actor, detail })) await work(tx)
  })
}

/** The same step again later, unless the task has moved on: it says what it waits for, and until when. */
export async function tryLater(
  deps: PipelineDeps,
  { type, stage, step }: { type: JobType<Step>; stage: Stage; step: Step & { tries: number } },
  found: string,
  startAt: Date
): Promise<void> {
  const { task_id, attempt } = step
  const error = cutTo(storable(found), 1900)
  await deps.db.transaction(async tx => {
    if (await postponeStage(tx, task_id, { stage, attempt }, { error, startAt, actor }))
      await deps.enqueue(tx, type, step, { startAt })
  })
}

/** Ends a task that cannot be drafted, saying why. `at`: the step that cannot be done; null: it was never taken out of the queue. */
export async function fail(
  deps: PipelineDeps,
  task_id: string,
  at: StageOfAttempt | null,
  error: Error
): Promise<void> {
  const message = cutTo(storable(error.message), 2000)
  // What an endpoint said itself is the cause: here, and not in the task, which clients read.
  deps.log.warn({ err: error, task_id }, 'a task is given up')
  await deps.db.transaction(async tx => {
    const task = await moveTask(tx, task_id, at === null ? 'not_started' : 'gave_up', {
      actor,
      changes: { error: message },
      detail: { error: message },
      guard: at
    })
    if (task !== undefined) await deps.emit(tx, TaskFailed, { task_id, actor, topic: task.topic, error: message })
  })
}

/** What is to be written, as the writer and the checks are told it; `previous` is the draft that feedback was given on. */
export function assignmentOf(
  task: TaskRow,
  sources: Assignment['sources'],
  previous: Assignment['previous']
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
    sources
  }
}
