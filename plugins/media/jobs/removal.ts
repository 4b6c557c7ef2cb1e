import { type Changes, ConflictError, type Db, type Enqueue, type Installation } from '#core'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { mediaCacheTag } from '../cache-tag.ts'
import { deleteFiles, listKinds, listUsedKeys, lockFiles } from '../repository/files.ts'
import { moveJobs } from '../repository/jobs.ts'
import type { MediaJobMove } from '../states.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { RemoveFiles } from './job-types.ts'
import { offeredKinds } from './kinds.ts'
import { removeWorkFolder } from './work-folder.ts'

export interface RemovalDeps {
  db: Db
  enqueue: Enqueue
  changes: Pick<Changes, 'touch'>
  posts: Posts
  published: Pick<PublishedPosts, 'isPublic'>
  store: MediaStore
  installation: Pick<Installation, 'home'>
  now: () => Date
}

/** How media go. */
export interface Removal {
  /** Of a post that is not public any more. What was asked for it is made again when it is published again. */
  withdraw(post_id: string): Promise<void>
  /** By the operator, for good. @returns how many files there were @throws ConflictError when there is nothing to remove */
  remove(post_id: string, actor: string): Promise<number>
  /** Deletes those of the files that no post has now. */
  removeFiles(keys: readonly string[]): Promise<void>
  /** Deletes episodes that were stored for a post and never became its own: their process was killed, or their job failed. */
  removeOrphans(): Promise<void>
}

export function createRemoval(deps: RemovalDeps): Removal {
  const { db, published, store, now } = deps
  return {
    withdraw: async post_id => {
      if (!(await published.isPublic(db, post_id))) await removeAll(deps, post_id, 'withdraw', 'media')
    },
    remove: async (post_id, actor) => {
      const { files, jobs } = await removeAll(deps, post_id, 'remove', actor)
      if (files + jobs === 0)
        throw new ConflictError(`Post ${post_id} has no media that were made here: nothing was removed.`)
      return files
    },
    removeFiles: keys => removeUnused(deps, keys),
    removeOrphans: async () => {
      for await (const key of store.list('episodes')) {
        const file = isOurs.test(key) ? await store.stat(key) : null
        if (file !== null && now().getTime() - file.modifiedAt.getTime() > orphanedMs) await removeUnused(deps, [key])
      }
    }
  }
}

/** Files that an operator put there have names of their own. */
const isOurs = /\/[0-9a-f]{64}\.[a-z0-9]+$/
/** A job has six hours; the file of one that goes on is stored again. */
const orphanedMs = 86_400_000

async function removeUnused({ db, store }: RemovalDeps, keys: readonly string[]): Promise<void> {
  // One by one: a bucket that answers late must not hold the lock for long.
  for (const key of keys)
    await db.transaction(async tx => {
      await lockFiles(tx)
      if (!(await listUsedKeys(tx, [key])).has(key)) await store.delete(key)
    })
}

async function removeAll(
  { db, enqueue, changes, posts, installation }: RemovalDeps,
  post_id: string,
  move: MediaJobMove,
  actor: string
): Promise<{ files: number; jobs: number }> {
  const removed = await db.transaction(async tx => {
    await posts.lock(tx, post_id)
    const keys = await deleteFiles(tx, post_id)
    const jobs = await moveJobs(tx, post_id, move)
    if (keys.length > 0) await enqueue(tx, RemoveFiles, { keys })
    if (keys.length + jobs > 0) {
      // What an operator put there stays.
      const media = offeredKinds(await listKinds(tx, [post_id]))
      await posts.setMedia(tx, post_id, { media, state: null, error: null }, { actor })
      await changes.touch(tx, mediaCacheTag)
    }
    return { files: keys.length, jobs }
  })
  await removeWorkFolder(installation, post_id)
  return removed
}
