import type { Queryable } from '#core'
import type { PostRef, Posts } from '#plugins/posts'
import type { TaskRow } from './repository/tasks.ts'

/** A task as clients read it: its row with what its post adds. */
export interface TaskView extends TaskRow {
  post_slug: string | null
  published_url: string | null
  preview_url: string | null
}

/** A task in a list. */
export type ListedTask = Omit<TaskView, 'content'>

/** One task. */
export async function taskView(db: Queryable, posts: Posts, task: TaskRow): Promise<TaskView> {
  const refs = task.post_id === null ? [] : (await posts.refs(db, [task.post_id])).values()
  const [post] = refs
  return withPost(posts, task, post)
}

/** Adds slugs and addresses, with one statement however many tasks there are. */
export async function taskViews(db: Queryable, posts: Posts, tasks: readonly TaskRow[]): Promise<TaskView[]> {
  const refs = await posts.refs(
    db,
    tasks.flatMap(task => task.post_id ?? [])
  )
  return Promise.all(
    tasks.map(task => withPost(posts, task, task.post_id === null ? undefined : refs.get(task.post_id)))
  )
}

async function withPost(posts: Posts, task: TaskRow, post: PostRef | undefined): Promise<TaskView> {
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
