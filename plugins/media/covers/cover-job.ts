import { type BatchedEvent, type Db, type Enqueue, type Job, job, jobType, on, type Subscription } from '#core'
import { PostEdited, type PostEvent, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { Covers } from './covers.ts'

/** Brings the cover of a post to what the post is by then. */
export const CoverUpdate = jobType<{ post_id: string }>('media.cover')

export const coverJob = (covers: Pick<Covers, 'update'>): Job =>
  job(CoverUpdate, ({ post_id }, { signal }) => covers.update(post_id, signal), {
    // An endpoint may be paid for each picture: few attempts, over some minutes.
    retries: 3,
    retryDelaySeconds: 30
  })

export interface CoverRequestDeps {
  covers: Pick<Covers, 'concerned'>
  db: Db
  enqueue: Enqueue
}

/** A post has one such job waiting, however often it changes. Thousands are published at once: they come in batches. */
export function coverSubscriptions({ covers, db, enqueue }: CoverRequestDeps): Subscription[] {
  const request = async (events: readonly BatchedEvent<PostEvent>[]) => {
    const post_ids = await covers.concerned([...new Set(events.map(({ payload }) => payload.post_id))])
    if (post_ids.length === 0) return
    await db.transaction(async tx => {
      for (const post_id of post_ids) await enqueue(tx, CoverUpdate, { post_id }, { key: post_id })
    })
  }
  return [PostPublished, PostEdited, PostWithdrawn].map(event => on(event, request, { maxBatch: 250 }))
}
