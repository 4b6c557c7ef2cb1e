import { type App, access, principalOf } from '#core'
import { ApproveTask, RejectTask, Task, TaskDecision, TaskParameters } from '../schemas.ts'
import type { TaskOperations } from '../tasks.ts'

const writes = { access: access.bearer('api:write') }
const decides = {
  ...writes,
  documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT', 'TASK_ALREADY_REJECTED', 'TASK_IN_PROGRESS'] }
} as const
const tags = ['tasks']

/** What a person decides about a task. */
export function taskDecisionRoutes(app: App, tasks: TaskOperations): void {
  approveRoute(app, tasks)
  rejectRoute(app, tasks)
  retryRoute(app, tasks)
  cancelRoute(app, tasks)
}

function approveRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'approveTask',
    tags,
    summary: 'Approve a draft: published now, or at publish_at; approved: false rejects it',
    params: TaskParameters,
    body: ApproveTask,
    response: { 200: Task }
  }
  const errors = [...decides.documentation.errors, 'DUPLICATE_CONTENT', 'NICHE_REQUIRED'] as const
  app.post(
    '/api/tasks/:task_id/approve',
    { config: { ...writes, documentation: { errors } }, schema },
    async request => {
      const { approved, publish_at, feedback, reason, force = false } = request.body
      // A form sends an emptied field as "".
      const said = [reason, feedback].map(text => text?.trim()).find(Boolean)
      const by = { actor: principalOf(request).client_id, reason: said ?? null, skipsChecks: force }
      return approved
        ? tasks.approve(request.params.task_id, publish_at ?? null, by)
        : tasks.rejectWithoutRetry(request.params.task_id, by, feedback ?? undefined)
    }
  )
}

function rejectRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'rejectTask',
    tags,
    summary: 'Reject a draft: written again with the feedback, or finally',
    params: TaskParameters,
    body: RejectTask,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/reject', { config: decides, schema }, async request => {
    const { feedback, reason, allow_revisions = true } = request.body
    return tasks.reject(
      request.params.task_id,
      feedback,
      { allow_revisions },
      { actor: principalOf(request).client_id, reason: reason ?? null }
    )
  })
}

function retryRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'retryTask',
    tags,
    summary: 'Retry a failed or rejected task; an unchecked draft is reused',
    params: TaskParameters,
    body: TaskDecision,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/retry', { config: decides, schema }, async request =>
    tasks.retry(request.params.task_id, { actor: principalOf(request).client_id, reason: request.body.reason ?? null })
  )
}

function cancelRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'cancelTask',
    tags,
    summary: 'End a task that is not published yet, and archive its post; cancelling again changes nothing',
    params: TaskParameters,
    body: TaskDecision,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/cancel', { config: decides, schema }, async request =>
    tasks.cancel(request.params.task_id, { actor: principalOf(request).client_id, reason: request.body.reason ?? null })
  )
}
