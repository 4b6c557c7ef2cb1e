import { type BatchedEvent, on, type Subscription } from '#core'
import { PostEdited, type PostEvent, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { MediaComponents } from './components.ts'
import { createCoverRequest } from './covers/cover-job.ts'

type FollowedDeps = Pick<MediaComponents, 'db' | 'enqueue' | 'covers' | 'requests' | 'removal'>
type Batch = readonly BatchedEvent<PostEvent>[]

/** Has the media follow their posts. Each handler may run again: a cover waits once, and a text has one job. */
export function postSubscriptions({ requests, removal, ...deps }: FollowedDeps): Subscription[] {
  const requestCovers = createCoverRequest(deps)
  const follow =
    (options: { isNew: boolean; leavesFailed?: boolean }) =>
    async (events: Batch): Promise<void> => {
      const post_ids = idsOf(events)
      if (post_ids.length === 0) return
      await requestCovers(post_ids)
      for (const post_id of await requests.listAffected(post_ids, options)) await requests.follow(post_id, options)
    }
  const followNew = follow({ isNew: true })
  const followEdit = follow({ isNew: false })
  // What was made here is no reason to try what has failed again: its endpoint may be paid for each try.
  const followOwn = follow({ isNew: false, leavesFailed: true })
  const withdraw = async (events: Batch): Promise<void> => {
    const post_ids = idsOf(events)
    await requestCovers(post_ids)
    for (const post_id of await requests.listAffected(post_ids, { isNew: false })) await removal.withdraw(post_id)
    // Last, because a store may refuse it.
    await deps.covers.removeWithdrawn(post_ids)
  }
  return [
    on(PostPublished, events => followNew(events.filter(isWithMedia)), { maxBatch }),
    on(
      PostEdited,
      async events => {
        await followOwn(events.filter(isOwn))
        await followEdit(events.filter(event => !isOwn(event)))
      },
      { maxBatch }
    ),
    on(PostWithdrawn, withdraw, { maxBatch })
  ]
}

/** Thousands may be published at once. */
const maxBatch = 250

const isWithMedia = ({ payload }: BatchedEvent<PostEvent>): boolean => payload.skips_media !== true

/** By a job of media, as `setMedia` notes it. */
const isOwn = ({ payload }: BatchedEvent<PostEvent>): boolean => payload.actor === 'media'

const idsOf = (events: Batch): string[] => [...new Set(events.map(({ payload }) => payload.post_id))]
