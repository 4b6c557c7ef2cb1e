import { type Delivery, InputError, type Tx } from '#core'
import { defaultGateName } from '#plugins/gates'
import type { Rendered } from '#plugins/posts'
import { approve } from '../approval.ts'
import { draftSubject } from '../gate-rows.ts'
import { DraftFailedQa, TaskAwaitingApproval, TaskRejected } from '../index.ts'
import type { StageJob } from '../job-types.ts'
import { moveTask } from '../moves.ts'
import type { Draft } from '../ports.ts'
import { withBuiltInFindings } from '../rails/built-in-findings.ts'
import { type Qa, type QaRun, runRails } from '../rails/qa.ts'
import { wasRejectedByPerson } from '../repository/events.ts'
import { dropSourceTexts, findSources, linkPost, type QaReport, type TaskRow } from '../repository/tasks.ts'
import { withinBudget } from './budget.ts'
import { actor, assignmentOf, findTaskAtStage, type PipelineDeps } from './stage-job.ts'

/** Runs the rails: a draft that passes becomes the task's post and waits, any other rejects the task. */
export async function runQa(deps: PipelineDeps, job: StageJob, { signal }: Delivery): Promise<void> {
  const task = await findTaskAtStage(deps.db, job, 'qa')
  if (task === null) return
  const draft = draftOf(task)
  const rendering = await renderDraft(deps, draft.content)
  if (!rendering.isRendered) return rejectUnrendered(deps, { task, job }, rendering.fault)
  const { rendered } = rendering
  const assignment = assignmentOf(deps, task, { sources: await findSources(deps.db, task.task_id), previous: null })
  const settings = deps.qaSettings()
  const asked = { draft, assignment, bannedPhrases: settings.bannedPhrases }
  const rails = await withBuiltInFindings(deps.rails(), asked, actor)
  const onFailure = (rail: string, error: unknown) =>
    deps.log.warn({ rail, err: error, task_id: task.task_id }, 'a QA rail could not run')
  const qa = await withinBudget(deps, { task, job, stage: 'qa' }, () =>
    runRails(rails, draft, assignment, { settings, signal, onFailure, ...attributing(deps) })
  )
  if (qa === null) return
  await deps.db.transaction(tx =>
    qa.passed ? passQa(deps, tx, { task, job, draft, rendered }, qa) : rejectAfterQa(deps, tx, { task, job }, qa)
  )
}

const attributing = ({ costs }: PipelineDeps): Pick<QaRun, 'attribute'> =>
  costs === undefined ? {} : { attribute: (rail, check) => costs.attribute({ part: rail }, check) }

/** What readers would get of a draft; `fault` says why they cannot. */
type Rendering = { isRendered: true; rendered: Rendered } | { isRendered: false; fault: string }

async function renderDraft(deps: PipelineDeps, content: string): Promise<Rendering> {
  try {
    return { isRendered: true, rendered: await deps.posts.render(content, actor) }
  } catch (error) {
    if (error instanceof InputError) return { isRendered: false, fault: Object.values(error.fields).join('; ') }
    throw error
  }
}

/** Rejects a draft that cannot be rendered; no rail runs. The fault is the feedback for the next draft. */
async function rejectUnrendered(
  deps: PipelineDeps,
  checked: { task: TaskRow; job: StageJob },
  fault: string
): Promise<void> {
  const report = { name: 'rendering', required: true, passed: false, score: 0, note: fault }
  const reason = `QA did not pass; the draft ${fault}.`
  const qa = { score: 0, passed: false, rails: [report], reason, isConclusive: true }
  await deps.db.transaction(tx => rejectAfterQa(deps, tx, checked, qa, { feedback: `The draft ${fault}.` }))
}

/** A draft that is being checked, and its job. */
interface CheckedDraft {
  task: TaskRow
  job: StageJob
  draft: Draft
  rendered: Rendered
}

async function passQa(deps: PipelineDeps, tx: Tx, { task, job, draft, rendered }: CheckedDraft, qa: Qa): Promise<void> {
  const { task_id } = task
  const guard = { stage: 'qa' as const, attempt: job.attempt }
  const changes = { qa: reportOf(qa), progress: 90, reason: null, error: null, checked: true }
  // Post first, then task, as in every decision.
  if (task.post_id !== null) await deps.posts.lock(tx, task.post_id)
  const detail = { score: qa.score, attempt: job.attempt }
  const moved = await moveTask(tx, task_id, 'qa_passed', { actor, changes, detail, guard })
  if (moved === undefined) return
  const post = await deps.posts.saveDraft(tx, {
    task_id,
    title: draft.title,
    excerpt: draft.excerpt,
    content: draft.content,
    category: task.category,
    tags: task.tags,
    niche_slug: task.niche_slug,
    seo_keywords: task.primary_keyword === null ? [] : [task.primary_keyword],
    rendered
  })
  await linkPost(tx, task_id, post.post_id)
  await deps.costs?.linkPost(tx, task_id, post.post_id)
  await dropSourceTexts(tx, task_id)
  const { isPublished, reason: blocker } = await autoPublish(deps, tx, moved, post.post_id, qa)
  if (isPublished) return
  await deps.emit(tx, TaskAwaitingApproval, { task_id, actor, post_id: post.post_id })
  const waits_again = task.post_id !== null
  const again = waits_again ? `written again, attempt ${job.attempt}` : null
  const reason = [again, blocker].filter(each => each !== null).join('; ') || null
  await deps.gates.hold(tx, defaultGateName, draftSubject(task_id, post), { actor, reason, waits_again })
}

/** The reason has a field of its own. */
const reportOf = ({ reason: _, isConclusive: __, ...report }: Qa): QaReport => report

/** Publishes the draft if the settings and its score allow that without a human. `reason`: why it waits, if that is to be said. */
async function autoPublish(
  deps: PipelineDeps,
  tx: Tx,
  task: TaskRow,
  post_id: string,
  qa: Qa
): Promise<{ isPublished: boolean; reason: string | null }> {
  const threshold = deps.minAutoPublishScore()
  if (threshold === null || qa.score === null || !(qa.score >= threshold)) return { isPublished: false, reason: null }
  if (await wasRejectedByPerson(tx, task.task_id))
    return { isPublished: false, reason: 'a person turned down an earlier draft' }
  const post = await deps.posts.lock(tx, post_id)
  const blocker = await deps.posts.automaticBlockerOf(tx, post)
  if (blocker !== null) return { isPublished: false, reason: blocker }
  await approve(deps, tx, { task, post }, null, {
    actor: 'auto_publish',
    isAutomatic: true,
    reason: `score ${qa.score} reached auto_publish_threshold ${threshold}`
  })
  return { isPublished: true, reason: null }
}

async function rejectAfterQa(
  deps: PipelineDeps,
  tx: Tx,
  { task, job }: { task: TaskRow; job: StageJob },
  qa: Qa,
  more: { feedback?: string } = {}
): Promise<void> {
  const { task_id } = task
  const guard = { stage: 'qa' as const, attempt: job.attempt }
  const changes = { qa: reportOf(qa), progress: 100, reason: qa.reason, error: null, checked: qa.isConclusive, ...more }
  const detail = { score: qa.score, reason: qa.reason }
  const moved = await moveTask(tx, task_id, 'qa_failed', { actor, changes, detail, guard })
  if (moved === undefined) return
  // A draft whose checks were not conclusive is checked again by a retry, and against its sources.
  if (qa.isConclusive) await dropSourceTexts(tx, task_id)
  await deps.emit(tx, TaskRejected, { task_id, actor, status: moved.status })
  await deps.emit(tx, DraftFailedQa, { task_id, actor, topic: moved.topic, reason: qa.reason ?? '' })
}

function draftOf(task: TaskRow): Draft {
  const { writer, source_ids, is_extractive } = task.metadata
  return {
    title: task.title ?? '',
    excerpt: task.excerpt ?? '',
    content: task.content ?? '',
    source_ids: Array.isArray(source_ids) ? source_ids.map(String) : [],
    model: typeof writer === 'string' ? writer : 'unknown',
    isExtractive: is_extractive === true
  }
}
