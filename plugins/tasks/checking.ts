import type { Delivery, Tx } from '#core'
import { defaultGateName } from '#plugins/gates'
import { approve } from './approval.ts'
import { insertEvent } from './event-repository.ts'
import { DraftRefused, TaskAwaitingApproval, TaskRejected } from './index.ts'
import type { Draft } from './pipeline.ts'
import { explain, type Qa, runRails } from './qa.ts'
import { dropSourceTexts, findSources, linkPost, moveTask, type QaReport, type TaskRow } from './repository.ts'
import { actor, assignmentOf, type PipelineDeps, type Step, taskAt } from './step.ts'

/** Runs the rails: a draft that passes becomes the task's post and waits, any other rejects the task. */
export async function runQa(deps: PipelineDeps, step: Step, { signal }: Delivery): Promise<void> {
  const task = await taskAt(deps.db, step, 'qa')
  if (task === null) return
  const draft = draftOf(task)
  const qa = await runRails(deps.rails(), draft, assignmentOf(task, await findSources(deps.db, task.task_id), null), {
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
  if (await publishUnattended(deps, tx, task_id, qa)) return
  const { post_id, title, content_hash } = post
  const subject = { subject_type: 'task', subject_id: task_id, task_id, post_id, title, content_hash, slot: null }
  const waits_again = step.attempt > 1
  const reason = waits_again ? `written again, attempt ${step.attempt}` : null
  await deps.gates.hold(tx, defaultGateName, subject, { actor, reason, waits_again })
}

// The reason has a field of its own.
const reportOf = ({ reason: _, ...report }: Qa): QaReport => report

// Publishing without a human needs an explicit posture and a number: anything else waits.
async function publishUnattended(deps: PipelineDeps, tx: Tx, task_id: string, qa: Qa): Promise<boolean> {
  const threshold = deps.autoPublishFrom()
  if (threshold === null || qa.score === null || !(qa.score >= threshold)) return false
  await approve(deps, tx, task_id, null, {
    actor: 'auto_publish',
    isAutomatic: true,
    reason: `score ${qa.score} reached auto_publish_threshold ${threshold}`
  })
  return true
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
  await deps.emit(tx, DraftRefused, { task_id, actor, topic: moved.topic, reason: explain(qa) })
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
