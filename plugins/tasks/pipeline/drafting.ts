import { AppError, asText, type Delivery, UnavailableError } from '#core'
import { DraftTask, QaTask, type StageJob } from '../job-types.ts'
import { TransientError } from '../model/errors.ts'
import type { Assignment, Draft, Writer } from '../ports.ts'
import { findSources, hasEditedDraft, saveDraft, saveSources, type TaskRow } from '../repository/tasks.ts'
import { withinBudget } from './budget.ts'
import { advanceStage, assignmentOf, fail, findTaskAtStage, type PipelineDeps, postpone } from './stage-job.ts'

/** Gathers what memory holds on the topic. */
export async function runResearch(deps: PipelineDeps, job: StageJob): Promise<void> {
  const task = await findTaskAtStage(deps.db, job, 'research')
  if (task === null) return
  const query = task.primary_keyword === null ? task.topic : `${task.topic} ${task.primary_keyword}`
  const find = async () => (await deps.memory?.sourcesFor(deps.db, query, deps.maxSources())) ?? []
  const sources = await withinBudget(deps, { task, job, stage: 'research' }, find)
  if (sources === null) return
  await advanceStage(
    deps,
    job,
    'research',
    'draft',
    { sources: sources.map(({ source_id, title }) => ({ source_id, title })) },
    async tx => {
      await saveSources(
        tx,
        task.task_id,
        sources.map(({ source_id, title, text, url }) => ({ source_id, title, text, url }))
      )
      await deps.enqueue(tx, DraftTask, job)
    }
  )
}

/** Asks the writer for the draft. */
export async function runDraft(deps: PipelineDeps, job: StageJob, { signal }: Delivery): Promise<void> {
  const task = await findTaskAtStage(deps.db, job, 'draft')
  if (task === null) return
  const writer = deps.writer()
  const sources = await findSources(deps.db, task.task_id)
  const assignment = assignmentOf(deps, task, { sources, previous: await previousDraft(deps, task) })
  const write = () => writer.write(assignment, signal)
  const written = await withinBudget(deps, { task, job, stage: 'draft' }, write).catch(error =>
    handleWriterError(deps, job, writer, error)
  )
  if (written === null) return
  const draft = cleanDraft(written)
  await advanceStage(deps, job, 'draft', 'qa', { writer: writer.name, title: draft.title }, async tx => {
    await saveDraft(tx, task.task_id, draft)
    await deps.enqueue(tx, QaTask, job)
  })
}

/** The text may hold anything. A character that the database refuses would have it written five times over. */
const cleanDraft = (draft: Draft): Draft => ({
  ...draft,
  title: asText(draft.title),
  excerpt: asText(draft.excerpt),
  content: asText(draft.content)
})

/** Of a writer that does not say how often. */
const defaultRetries = 5
const firstWaitMs = 3_000
const maxWaitMs = 600_000

/**
 * An error that no retry corrects, such as a wrong key, fails the task at once. After an UnavailableError a later job asks
 * the writer again, as often as the writer says. Anything else is a fault of the code, and the queue runs the stage again.
 */
async function handleWriterError(deps: PipelineDeps, job: StageJob, writer: Writer, error: unknown): Promise<null> {
  if (!(error instanceof AppError)) throw error
  const tries = (job.tries ?? 0) + 1
  const at = { stage: 'draft' as const, attempt: job.attempt }
  if (!(error instanceof UnavailableError)) await fail(deps, job.task_id, at, error)
  else if (tries > (writer.maxRetries ?? defaultRetries)) await fail(deps, job.task_id, at, usedUp(error, tries))
  else {
    const startAt = new Date(deps.now().getTime() + waitMs(tries, error))
    await postpone(deps, { type: DraftTask, stage: 'draft', job: { ...job, tries } }, error.summary, startAt)
  }
  return null
}

const usedUp = ({ summary, remedy }: UnavailableError, tries: number): Error =>
  new Error(`${summary}${tries === 1 ? '' : `, after ${tries} requests`}${remedy === undefined ? '' : `: ${remedy}`}`)

/** 3 s, 9 s, 27 s …, or what the endpoint asked for; 10 minutes at most. */
function waitMs(tries: number, { cause }: UnavailableError): number {
  const asked = cause instanceof TransientError ? cause.retryAfterMs : null
  return Math.min(maxWaitMs, asked ?? firstWaitMs * 3 ** (tries - 1))
}

/** The draft that feedback was given on. A post may have been edited by a person: the writer gets its text in any case. */
async function previousDraft({ db }: PipelineDeps, task: TaskRow): Promise<Assignment['previous']> {
  if ((task.feedback === null && task.post_id === null) || task.title === null || task.content === null) return null
  return { title: task.title, content: task.content, isEdited: await hasEditedDraft(db, task.task_id) }
}
