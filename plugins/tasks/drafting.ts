import { AppError, type Delivery, UnavailableError } from '#core'
import type { Assignment, Draft } from './pipeline.ts'
import { findSources, saveDraft, saveSources, type TaskRow } from './repository.ts'
import { assignmentOf, check, fail, moveOn, type PipelineDeps, type Step, taskAt, write } from './step.ts'
import { storable } from './text.ts'

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
  const written = await writer.write(assignment, signal).catch(error => failUnlessTransient(deps, task.task_id, error))
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

// What the service knows to be for good, such as a refused key, is told at once; anything else may pass with a retry.
async function failUnlessTransient(deps: PipelineDeps, task_id: string, error: unknown): Promise<null> {
  if (!(error instanceof AppError) || error instanceof UnavailableError) throw error
  await fail(deps, task_id, error)
  return null
}

function previousDraft(task: TaskRow): Assignment['previous'] {
  if (task.feedback === null || task.title === null || task.content === null) return null
  return { title: task.title, content: task.content }
}
