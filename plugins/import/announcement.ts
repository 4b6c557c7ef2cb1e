import { randomUUID } from 'node:crypto'
import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import type { Announce, PostEvent, Posts } from '#plugins/posts'

/** Calls the subscribers of posts that were imported: search by meaning, export, front ends. */
const AnnounceImported = jobType<{ posts: readonly PostEvent[] }>('import.announce')

/** What follows thousands of posts would take the processor from their import. After this time it begins in any case. */
const maxDelayMs = 5 * 60_000

/** The announcements of one run, which wait until it ends. */
export interface Announcements {
  readonly add: Announce
  /** To be called in `finally`: a run that was killed is followed later. */
  release(): Promise<void>
}

export interface AnnouncementDeps {
  db: Db
  enqueue: Enqueue
  now: () => Date
}

/** `withMedia`: what `media_on_publish` asks for is made, as of any publication. */
export function createAnnouncements(
  { db, enqueue, now }: AnnouncementDeps,
  { withMedia }: { withMedia: boolean }
): Announcements {
  const keys: string[] = []
  return {
    async add(tx, published) {
      const key = randomUUID()
      const posts = withMedia ? published : published.map(post => ({ ...post, skips_media: true as const }))
      await enqueue(tx, AnnounceImported, { posts }, { startAt: new Date(now().getTime() + maxDelayMs), key })
      tx.afterCommit(() => void keys.push(key))
    },
    async release() {
      if (keys.length === 0) return
      // A job that waits under its key starts now, with the posts it has.
      await db.transaction(async tx => {
        for (const key of keys) await enqueue(tx, AnnounceImported, { posts: [] }, { key })
      })
    }
  }
}

export const announceImportedJob = (db: Db, imports: Pick<Posts['imports'], 'announce'>): Job =>
  job(AnnounceImported, ({ posts }) => db.transaction(tx => imports.announce(tx, posts)))
