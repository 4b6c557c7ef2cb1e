import { type Db, type Enqueue, type Job, job, jobType, on, type Subscription } from '#core'
import { PostEdited, type PostEvent, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { Covers } from './covers.ts'

/** Brings the cover of a post to what the post is by then. */
export const CoverUpdate = jobType<{ post_id: string }>('media.cover')

export const coverJob = (covers: Pick<Covers, 'update'>): Job =>
  job(CoverUpdate, ({ post_id }, { signal }) => covers.update(post_id, signal), { timeoutSeconds: 900 })

/** A post has one such job waiting, however often it changes. */
export function coverSubscriptions({ db, enqueue }: { db: Db; enqueue: Enqueue }): Subscription[] {
  const request = ({ post_id }: PostEvent) =>
    db.transaction(tx => enqueue(tx, CoverUpdate, { post_id }, { key: post_id }))
  return [on(PostPublished, request), on(PostEdited, request), on(PostWithdrawn, request)]
}
