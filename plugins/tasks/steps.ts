import {
  AppError,
  type Db,
  type Delivery,
  type Emit,
  type Enqueue,
  type Job,
  job,
  jobType,
  type Log,
  type Tx,
  UnavailableError
} from '#core'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import type { Posts } from '#plugins/posts'
import { type ApprovalDeps, approve, transition } from './approval.ts'
import { insertEvent } from './event-repository.ts'
import { TaskAwaitingApproval, TaskRejected } from './index.ts'
import type { Assignment, Draft, Rail, Writer } from './pipeline.ts'
import { type Qa, type QaSettings, runRails } from './qa.ts'
import {
  advance,
  dropSourceTexts,
  findSources,
  findTask,
  linkPost,
  moveTask,
  type QaReport,
  saveDraft,
  saveSources,
  type TaskRow
} from './repository.ts'
import type { Stage } from './states.ts'

/** Takes a new task out of the queue. */
export const pickup = jobType<{ task_id: string }>('tasks.pickup')
/** Takes a task that was sent back. */
export const reclaim = jobType<{ task_id: string }>('tasks.reclaim')
interface Step {
  task_id: string
  attempt: number
}
const research = jobType<Step>('tasks.research')
const write = jobType<Step>('tasks.draft')
const check = jobType<Step>('tasks.qa')

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
}

const actor = 'pipeline'

/**
 * The pipeline as durable steps. Each reads its task, does its work outside any transaction, and then moves the task on
 * with a compare-and-swap on status, stage and attempt, together with its history and the next step's job: a step that
 * ran twice, or whose process was killed, changes the task once.
 */
export function pipelineJobs(deps: PipelineDeps): Job[] {
  const giveUp = (data: { task_id: string }, error: Error) => fail(deps, data.task_id, error)
  const options = { concurrency: 4, retries: 5, retryDelay: 2, timeout: 900, onExhausted: giveUp }
  return [
    job(pickup, data => claim(deps, data.task_id, 'picked_up'), { ...options, concurrency: 16 }),
    job(reclaim, data => claim(deps, data.task_id, 'reclaimed'), { ...options, concurrency: 16 }),
    job(research, step => runResearch(deps, step), options),
    job(write, (step, delivery) => runDraft(deps, step, delivery), options),
    job(check, (step, delivery) => runQa(deps, step, delivery), options)
  ]
}

async function claim({ db, enqueue }: PipelineDeps, task_id: string, name: 'picked_up' | 'reclaimed'): Promise<void> {
  await db.transaction(async tx => {
    const before = await findTask(tx, task_id)
    if (before === undefined) return
    const attempt = before.attempt + (name === 'reclaimed' ? 1 : 0)
    const task = await transition(tx, task_id, name, {
      actor,
      changes: { stage: 'research', progress: 5, attempt, error: null, qa: null },
      detail: { attempt }
    })
    if (task !== undefined) await enqueue(tx, research, { task_id, attempt })
  })
}

async function runResearch(deps: PipelineDeps, step: Step): Promise<void> {
  const task = await taskAt(deps.db, step, 'research')
  if (task === null) return
  const query = task.primary_keyword === null ? task.topic : `${task.topic} ${task.primary_keyword}`
  const sources = (await deps.memory?.sourcesFor(deps.db, query, deps.maxSources())) ?? []
  await moveOn(
    deps,
    step,
    'research',
    'draft',
    { sources: sources.map(({ source_id, title }) => ({ source_id, title })) },
    async tx => {
      await saveSources(
        tx,
        task.task_id,
        sources.map(({ source_id, title, text, url }) => ({ source_id, title, text, url }))
      )
      await deps.enqueue(tx, write, step)
    }
  )
}

async function runDraft(deps: PipelineDeps, step: Step, { signal }: Delivery): Promise<void> {
  const task = await taskAt(deps.db, step, 'draft')
  if (task === null) return
  const writer = deps.writer()
  const draft = await writer
    .write(await assignmentOf(deps.db, task), signal)
    .catch(error => failUnlessTransient(deps, task.task_id, error))
  if (draft === null) return
  await moveOn(deps, step, 'draft', 'qa', { writer: writer.name, title: draft.title }, async tx => {
    await saveDraft(tx, task.task_id, draft)
    await deps.enqueue(tx, check, step)
  })
}

// What the service knows to be for good, such as a refused key, is told at once; anything else may pass with a retry.
async function failUnlessTransient(deps: PipelineDeps, task_id: string, error: unknown): Promise<null> {
  if (!(error instanceof AppError) || error instanceof UnavailableError) throw error
  await fail(deps, task_id, error)
  return null
}

async function runQa(deps: PipelineDeps, step: Step, { signal }: Delivery): Promise<void> {
  const task = await taskAt(deps.db, step, 'qa')
  if (task === null) return
  const draft = draftOf(task)
  const qa = await runRails(deps.rails(), draft, await assignmentOf(deps.db, task), {
    settings: deps.qaSettings(),
    signal,
    onFailure: (rail, error) => deps.log.warn({ rail, err: error, task_id: task.task_id }, 'a QA rail could not run')
  })
  await deps.db.transaction(tx =>
    qa.passed ? accept(deps, tx, task, step, draft, qa) : refuse(deps, tx, task, step, qa)
  )
}

async function accept(deps: PipelineDeps, tx: Tx, task: TaskRow, step: Step, draft: Draft, qa: Qa): Promise<void> {
  const { task_id } = task
  const guard = { stage: 'qa' as const, attempt: step.attempt }
  const moved = await moveTask(tx, task_id, 'qa_passed', { qa: reportOf(qa), progress: 90, reason: null }, guard)
  if (moved === undefined) return
  const post = await deps.posts.saveDraft(tx, {
    task_id,
    title: draft.title,
    excerpt: draft.excerpt,
    content: draft.content,
    category: task.category,
    tags: task.tags,
    niche_slug: task.niche_slug,
    seo_keywords: task.primary_keyword === null ? [] : [task.primary_keyword]
  })
  await linkPost(tx, task_id, post.post_id)
  await dropSourceTexts(tx, task_id)
  await insertEvent(tx, {
    task_id,
    type: 'qa_passed',
    from: moved.from,
    to: moved.status,
    actor,
    detail: { score: qa.score, attempt: step.attempt }
  })
  await deps.emit(tx, TaskAwaitingApproval, { task_id, actor, post_id: post.post_id })
  await publishUnattended(deps, tx, task_id, qa)
}

// The reason has a field of its own.
const reportOf = ({ reason: _, ...report }: Qa): QaReport => report

// Publishing without a human needs an explicit posture and a number: anything else waits.
async function publishUnattended(deps: PipelineDeps, tx: Tx, task_id: string, qa: Qa): Promise<void> {
  const threshold = deps.autoPublishFrom()
  if (threshold === null || qa.score === null || !(qa.score >= threshold)) return
  await approve(deps, tx, task_id, null, {
    actor: 'auto_publish',
    reason: `score ${qa.score} reached auto_publish_threshold ${threshold}`
  })
}

async function refuse(deps: PipelineDeps, tx: Tx, task: TaskRow, step: Step, qa: Qa): Promise<void> {
  const { task_id } = task
  const guard = { stage: 'qa' as const, attempt: step.attempt }
  const moved = await moveTask(tx, task_id, 'qa_failed', { qa: reportOf(qa), progress: 100, reason: qa.reason }, guard)
  if (moved === undefined) return
  await dropSourceTexts(tx, task_id)
  await insertEvent(tx, {
    task_id,
    type: 'qa_failed',
    from: moved.from,
    to: moved.status,
    actor,
    detail: { score: qa.score, reason: qa.reason }
  })
  await deps.emit(tx, TaskRejected, { task_id, actor, status: moved.status })
}

async function fail(deps: PipelineDeps, task_id: string, error: Error): Promise<void> {
  await deps.db.transaction(tx =>
    transition(tx, task_id, 'gave_up', {
      actor,
      changes: { error: error.message.slice(0, 2000) },
      detail: { error: error.message.slice(0, 2000) }
    })
  )
}

/** The task, if it still waits for this step; null when it moved on. */
async function taskAt(db: Db, step: Step, stage: Stage): Promise<TaskRow | null> {
  const task = await findTask(db, step.task_id)
  return task?.status === 'in_progress' && task.stage === stage && task.attempt === step.attempt ? task : null
}

async function moveOn(
  deps: PipelineDeps,
  step: Step,
  from: Stage,
  to: Stage,
  detail: object,
  work: (tx: Tx) => Promise<void>
): Promise<void> {
  const { task_id, attempt } = step
  await deps.db.transaction(async tx => {
    if (!(await advance(tx, task_id, { stage: from, attempt }, to))) return
    await insertEvent(tx, {
      task_id,
      type: `${from}_done`,
      from: 'in_progress',
      to: 'in_progress',
      actor,
      detail: { attempt, ...detail }
    })
    await work(tx)
  })
}

async function assignmentOf(db: Db, task: TaskRow): Promise<Assignment> {
  const isRerun = task.feedback !== null && task.title !== null && task.content !== null
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
    previous: isRerun ? { title: task.title as string, content: task.content as string } : null,
    sources: await findSources(db, task.task_id)
  }
}

function draftOf(task: TaskRow): Draft {
  const { writer = 'unknown', source_ids = [] } = task.metadata as { writer?: string; source_ids?: string[] }
  return {
    title: task.title ?? '',
    excerpt: task.excerpt ?? '',
    content: task.content ?? '',
    source_ids,
    model: writer
  }
}
