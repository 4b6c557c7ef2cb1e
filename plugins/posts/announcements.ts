import { randomUUID } from 'node:crypto'
import { type Db, type Emit, type Enqueue, type Job, job, jobType } from '#core'
import type { PostEvent } from './contract/post-ref.ts'
import type { Announce, DeferAnnouncements } from './contract/slots.ts'
import { PostPublished } from './index.ts'
import { readDatabaseClock } from './repository/clock.ts'

/** Emits `PostPublished` for the posts of a transaction that deferred it. */
const AnnouncePublished = jobType<{ posts: readonly PostEvent[] }>('posts.announce')

interface AnnouncementDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
}

/** The one place that emits `PostPublished`: at once, or by a job. */
export interface Announcements {
  readonly announce: Announce
  readonly defer: DeferAnnouncements
  readonly job: Job
}

export function createAnnouncements({ db, emit, enqueue }: AnnouncementDeps): Announcements {
  const announce: Announce = (tx, posts) => emit(tx, PostPublished, posts)
  return {
    announce,
    job: job(AnnouncePublished, ({ posts }) => db.transaction(tx => announce(tx, posts))),
    defer({ maxDelayMs }) {
      const keys: string[] = []
      return {
        async announce(tx, posts) {
          const key = randomUUID()
          // By the database's clock, as jobs start.
          const startAt = new Date((await readDatabaseClock(tx)).getTime() + maxDelayMs)
          await enqueue(tx, AnnouncePublished, { posts }, { startAt, key })
          tx.afterCommit(() => void keys.push(key))
        },
        isEmpty: () => keys.length === 0,
        async announceNow() {
          if (keys.length === 0) return
          // A waiting job whose key is queued again starts now, with the posts it has.
          await db.transaction(async tx => {
            for (const key of keys) await enqueue(tx, AnnouncePublished, { posts: [] }, { key })
          })
        }
      }
    }
  }
}
