import {
  type BatchRead,
  type ConnectionArguments,
  connectionOf,
  type Db,
  type GraphqlContext,
  type GraphqlPart,
  NotFoundError,
  pageQueryOf,
  resolveId,
  toPage
} from '#core'
import { listContents } from './content-repository.ts'
import { countEvents, countTaskEvents, listEvents, listTaskEvents } from './event-repository.ts'
import { schema } from './graphql-schema.ts'
import { eventPage, taskPage } from './routes.ts'
import type { TaskDesk } from './tasks.ts'
import type { TaskView } from './view.ts'

type EventArguments = ConnectionArguments & { taskId?: string | null }

/** Tasks and their history in GraphQL: what the REST routes answer. */
export function tasksGraphql(tasks: TaskDesk, db: Db): GraphqlPart {
  const contents: BatchRead<string | null> = async ids =>
    new Map((await listContents(db, ids)).map(({ task_id, content }) => [task_id, content]))
  return {
    schema,
    resolvers: {
      Query: {
        tasks: async (_: undefined, { status, ...args }: ConnectionArguments & { status?: string | null }) =>
          connectionOf(await tasks.list(status ?? null, taskPage(pageQueryOf(args))), task => [
            task.created_at,
            task.task_id
          ]),
        task: (_: undefined, { taskId }: { taskId: string }) => tasks.get(taskId).catch(nullWhenMissing),
        pipelineEvents: (_: undefined, args: EventArguments) => readEvents(db, args)
      },
      Task: {
        // Lists leave the text out.
        content: (task: Partial<TaskView> & { task_id: string }, _: unknown, context: GraphqlContext) =>
          task.content === undefined ? context.load(contents, task.task_id) : task.content
      }
    }
  }
}

async function readEvents(db: Db, { taskId, ...args }: EventArguments) {
  const page = eventPage(pageQueryOf(args))
  const task_id = taskId == null ? null : await resolveId(db, 'tasks', 'task_id', taskId)
  const rows = await (task_id === null ? listEvents(db, page) : listTaskEvents(db, task_id, page))
  const cursorOf = ({ id }: { id: number }) => [String(id)] as const
  return {
    ...connectionOf(toPage(rows, page, 0, cursorOf), cursorOf),
    total_count: () => (task_id === null ? countEvents(db) : countTaskEvents(db, task_id))
  }
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}
