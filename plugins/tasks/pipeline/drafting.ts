import { AppError, type Delivery, UnavailableError } from '#core'
import { TransientError } from '../model/errors.ts'
import { findSources, saveDraft, saveSources, type TaskRow } from '../repository/tasks.ts'
import { storable } from '../text.ts'
import type { Assignment, Draft, Writer } from './ports.ts'
import { assignmentOf, check, fail, moveOn, type PipelineDeps, type Step, taskAt, tryLater, write } from './step.ts'

/** Gathers what memory holds on the topic. */
export async function runResearch(deps: PipelineDeps, step: Step): Promise<void> {
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

/** Has the writer write. */
export async function runDraft(deps: PipelineDeps, step: Step, { signal }: Delivery): Promise<void> {
  const task = await taskAt(deps.db, step, 'draft')
  if (task === null) return
  const writer = deps.writer()
  const assignment = assignmentOf(task, await findSources(deps.db, task.task_id), previousDraft(task))
  const written = await writer.write(assignment, signal).catch(error => notWritten(deps, step, writer, error))
  if (written === null) return
  const draft = storableDraft(written)
  await moveOn(deps, step, 'draft', 'qa', { writer: writer.name, title: draft.title }, async tx => {
    await saveDraft(tx, task.task_id, draft)
    await deps.enqueue(tx, check, step)
  })
}

// A model or a plugin's writer may answer anything; refused by the database, it would be written again five times over.
const storableDraft = (draft: Draft): Draft => ({
  ...draft,
  title: storable(draft.title),
  excerpt: storable(draft.excerpt),
  content: storable(draft.content)
})

/** Of a writer that does not say how often. */
const defaultRetries = 5
const firstWaitMs = 3_000
const maxWaitMs = 600_000

/**
 * What the service knows to be for good, such as a refused key, is told at once; what may pass is tried again by a job for
 * later, as often as the writer says. Anything else is a fault of the step, which the queue tries again.
 */
async function notWritten(deps: PipelineDeps, step: Step, writer: Writer, error: unknown): Promise<null> {
  if (!(error instanceof AppError)) throw error
  const tries = (step.tries ?? 0) + 1
  const at = { stage: 'draft' as const, attempt: step.attempt }
  if (!(error instanceof UnavailableError)) await fail(deps, step.task_id, at, error)
  else if (tries > (writer.maxRetries ?? defaultRetries)) await fail(deps, step.task_id, at, usedUp(error, tries))
  else {
    const startAt = new Date(deps.now().getTime() + waitMs(tries, error))
    await tryLater(deps, { type: write, stage: 'draft', step: { ...step, tries } }, error.found, startAt)
  }
  return null
}

const usedUp = ({ found, remedy }: UnavailableError, tries: number): Error =>
  new Error(`${found}${tries === 1 ? '' : `, after ${tries} requests`}${remedy === undefined ? '' : `: ${remedy}`}`)

/** 3 s, 9 s, 27 s …, or what the endpoint asked for; 10 minutes at most. */
function waitMs(tries: number, { cause }: UnavailableError): number {
  const asked = cause instanceof TransientError ? cause.retryAfterMs : null
  return Math.min(maxWaitMs, asked ?? firstWaitMs * 3 ** (tries - 1))
}

function previousDraft(task: TaskRow): Assignment['previous'] {
  if (task.feedback === null || task.title === null || task.content === null) return null
  return { title: task.title, content: task.content }
}
