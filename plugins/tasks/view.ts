import type { Queryable } from '#core'
import type { TaskCost } from '#plugins/costs'
import type { PostRef, Posts } from '#plugins/posts'
import type { TaskRow } from './repository/tasks.ts'

/** A task as clients read it: its row with what its post adds. */
export interface TaskView extends TaskRow {
  post_slug: string | null
  published_url: string | null
  preview_url: string | null
}

/** A task as a decision left it. `warnings`: what may not have been meant; absent where there is nothing. */
export interface DecidedTask extends TaskView {
  warnings?: string[]
}

/** A task by itself. `cost` is null while nothing is counted. */
export interface TaskWithCost extends TaskView {
  cost: TaskCost | null
}

/** A task in a list. */
export type ListedTask = Omit<TaskView, 'content'>

/** A task and the post it has, as one statement or transaction saw them. */
export interface TaskWithPost {
  task: TaskRow
  post: PostRef | undefined
}

export async function readPostOf(db: Queryable, posts: Posts, task: TaskRow): Promise<TaskWithPost> {
  const refs = task.post_id === null ? undefined : await posts.refs(db, [task.post_id])
  return { task, post: refs?.values().next().value }
}

/** Adds slugs and addresses, with one statement however many tasks there are. */
export async function taskViews(db: Queryable, posts: Posts, tasks: readonly TaskRow[]): Promise<TaskView[]> {
  const refs = await posts.refs(
    db,
    tasks.flatMap(task => task.post_id ?? [])
  )
  return Promise.all(
    tasks.map(task => taskView(posts, { task, post: task.post_id === null ? undefined : refs.get(task.post_id) }))
  )
}

/** One task. */
export async function taskView(posts: Posts, { task, post }: TaskWithPost): Promise<TaskView> {
  const isPublic = post?.status === 'published'
  return {
    ...task,
    post_slug: post?.slug ?? null,
    published_url: post !== undefined && isPublic ? posts.publicUrl(post.slug) : null,
    // A public post has no preview; an archived one has nothing left to look at.
    preview_url:
      post === undefined || isPublic || post.status === 'archived' ? null : await posts.previewUrl(post.post_id)
  }
}
