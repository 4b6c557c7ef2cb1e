import { type BatchRead, type Db, type GraphqlContext, type GraphqlModule, NotFoundError } from '#core'
import { type ConnectionArguments, connectionOf, pageQueryOf, toPage } from '#lists'
import type { Costs } from '#plugins/costs'
import { costSchema, schema } from './graphql/schema.ts'
import { countEvents, countTaskEvents, listEvents, listTaskEvents } from './repository/events.ts'
import { listTaskContents } from './repository/lists.ts'
import { resolveTaskId } from './repository/tasks.ts'
import { eventPage, taskEventPage } from './routes/events.ts'
import { taskPage } from './routes/reads.ts'
import type { TaskOperations } from './tasks.ts'
import type { TaskView } from './view.ts'

type TaskArguments = ConnectionArguments & { status?: string | null }
type EventArguments = ConnectionArguments & { taskId?: string | null }

/** Tasks and their history in GraphQL: what the REST routes answer. */
export function tasksGraphql(tasks: TaskOperations, db: Db, costs: Costs | undefined): GraphqlModule {
  const contents: BatchRead<string | null> = async ids =>
    new Map((await listTaskContents(db, ids)).map(({ task_id, content }) => [task_id, content]))
  return {
    schema: costs === undefined ? schema : `${schema}\n${costSchema}`,
    resolvers: {
      ...(costs && { Post: { cost: ({ post_id }: { post_id: string }) => costs.ofPost(db, post_id) } }),
      Query: {
        tasks: (_: undefined, args: TaskArguments) => listTasks(tasks, args),
        task: (_: undefined, { taskId }: { taskId: string }) => tasks.get(taskId).catch(nullWhenMissing),
        pipelineEvents: (_: undefined, args: EventArguments) => readEvents(db, args)
      },
      Task: {
        ...(costs && { cost: ({ task_id }: { task_id: string }) => costs.ofTask(db, task_id) }),
        // Lists leave the text out.
        content: (task: Partial<TaskView> & { task_id: string }, _: unknown, context: GraphqlContext) =>
          task.content === undefined ? context.load(contents, task.task_id) : task.content
      }
    }
  }
}

async function listTasks(tasks: TaskOperations, { status, ...args }: TaskArguments) {
  const filter = { status }
  const page = taskPage(pageQueryOf(args), filter)
  return connectionOf(await tasks.list(filter, page), page, task => [task.created_at, task.task_id])
}

async function readEvents(db: Db, { taskId, ...args }: EventArguments) {
  const task_id = taskId == null ? null : await resolveTaskId(db, taskId)
  const page = task_id === null ? eventPage(pageQueryOf(args), {}) : taskEventPage(pageQueryOf(args), task_id)
  const rows = await (task_id === null ? listEvents(db, {}, page) : listTaskEvents(db, task_id, page))
  const cursorOf = ({ id }: { id: number }) => [String(id)] as const
  return {
    ...connectionOf(toPage(rows, page, 0, cursorOf), page, cursorOf),
    total_count: () => (task_id === null ? countEvents(db, {}) : countTaskEvents(db, task_id))
  }
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}
