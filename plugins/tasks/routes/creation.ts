import { type App, access, principalOf } from '#core'
import { CreateTask, Task } from '../schemas.ts'
import type { TaskOperations } from '../tasks.ts'

const config = {
  access: access.bearer('api:write'),
  documentation: { responseHeaders: { Location: 'Path of the task.' } }
} as const

export function createTaskRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'createTask',
    tags: ['tasks'],
    summary: 'Create a task; it enters the pipeline',
    body: CreateTask,
    response: { 201: Task }
  }
  app.post('/api/tasks', { config, schema }, async (request, reply) => {
    const task = await tasks.create(request.body, { actor: principalOf(request).client_id, source: 'api' })
    return reply.code(201).header('location', `/api/tasks/${task.task_id}`).send(task)
  })
}
