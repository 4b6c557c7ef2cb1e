import { type Db, InputError, NotFoundError, type Queryable, type Settings } from '#core'
import type { IdRange } from '#lists'
import { type DefaultGate, defaultGateName as gate_name, type HeldSubject } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import { draftSubject } from './gate-rows.ts'
import { draftLabels } from './labels.ts'
import { countAwaitingTasks, findTaskOfPost, listAwaitingTasks } from './repository/posts.ts'
import { findTask, resolveTaskId } from './repository/tasks.ts'
import type { taskSettings } from './settings.ts'
import type { TaskOperations } from './tasks.ts'

interface DefaultGateDeps {
  db: Db
  posts: Posts
  tasks: Pick<TaskOperations, 'approveAtGate' | 'reject'>
  settings: Settings<typeof taskSettings>
}

/** The approval of drafts: one that the pipeline wrote is decided by its task, one made by hand by its post. */
export function createDefaultGate({ db, posts, tasks, settings }: DefaultGateDeps): DefaultGate {
  const decide = async (
    id: string,
    byTask: (task_id: string) => Promise<object>,
    byPost: (post_id: string) => Promise<unknown>
  ): Promise<object> => {
    const { task_id, post_id } = await findSubject(db, posts, id)
    if (task_id !== null) return byTask(task_id)
    await byPost(post_id)
    return (await posts.read(db, post_id)) ?? { post_id }
  }
  return {
    labels: draftLabels,
    async countPending(queryable) {
      const counts = await Promise.all([countAwaitingTasks(queryable), posts.countAwaiting(queryable)])
      return counts[0] + counts[1]
    },
    listPending: (queryable, limit, ids) => listPending(queryable, posts, limit, ids),
    autoPublish: () => ({
      auto_publish_threshold: settings.get('auto_publish_threshold'),
      require_human_approval: settings.get('require_human_approval')
    }),
    approve: (id, by) =>
      decide(
        id,
        task_id => tasks.approveAtGate(task_id, by),
        post_id => db.transaction(tx => posts.approve(tx, post_id, { ...by, gate_name }))
      ),
    async reject(id, by) {
      const reason = requireReason(by.reason)
      return decide(
        id,
        task_id => tasks.reject(task_id, reason, { allow_revisions: true }, { ...by, reason }),
        post_id => db.transaction(tx => posts.reject(tx, post_id, { ...by, reason, gate_name }))
      )
    }
  }
}

/** What awaits approval, the longest waiting first: drafts by their tasks, and posts made by hand. */
async function listPending(
  db: Queryable,
  posts: Posts,
  limit: number,
  ids: IdRange | undefined
): Promise<HeldSubject[]> {
  const [tasks, handMade] = await Promise.all([listAwaitingTasks(db, limit, ids), posts.listAwaiting(db, limit, ids)])
  const post_ids = tasks.map(({ post_id }) => post_id)
  const [refs, lost] = await Promise.all([posts.refs(db, post_ids), posts.lostSlots(db, post_ids)])
  const drafted = tasks.flatMap(({ task_id, post_id, since }) => {
    const post = refs.get(post_id)
    const slot = lost.get(post_id)?.slot ?? null
    return post === undefined ? [] : [{ ...draftSubject(task_id, post), slot, since }]
  })
  const all = [...drafted, ...handMade].sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
  return all.slice(0, limit).map(({ since: _, ...subject }) => subject)
}

/** The next draft is written from the reason alone. */
function requireReason(reason: string | null): string {
  const text = reason?.trim() ?? ''
  if (text === '') throw new InputError({ reason: 'is required: say what should change' })
  return text
}

/** The task that an id or a prefix stands for, by its own or its post's; else the post, made by hand. */
async function findSubject(
  db: Db,
  posts: Posts,
  id: string
): Promise<{ task_id: string; post_id?: never } | { task_id: null; post_id: string }> {
  const task_id = await findTaskId(db, id)
  if (task_id !== undefined) return { task_id }
  const post_id = await posts.resolve(db, id)
  const task = await findTaskOfPost(db, post_id)
  return task === undefined ? { task_id: null, post_id } : { task_id: task.task_id }
}

async function findTaskId(db: Db, id: string): Promise<string | undefined> {
  try {
    return (await findTask(db, await resolveTaskId(db, id)))?.task_id
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
