import { ConflictError, type Enqueue, InputError, NotFoundError, type Queryable, type Tx } from '#core'
import type { Post, Posts, PublishedPosts } from '#plugins/posts'
import { listFiles, listKinds } from '../repository/files.ts'
import {
  ensureJob,
  listPostsWithJobs,
  listWantedKinds,
  type MediaJobRow,
  moveJob,
  replaceOlder
} from '../repository/jobs.ts'
import { isInWork } from '../states.ts'
import { MakeCover, MakeLongMedia, MakeMedia } from './job-types.ts'
import { kindFaults, kindsInOrder, type MediaKind, offeredKinds } from './kinds.ts'
import { forgetLost, type LostFilesDeps, listLost } from './lost-files.ts'
import { allowingNoArt, type MediaSources, mediaHashes, missingOutput, textHash } from './media-outputs.ts'
import { runWithSources, type SourcesOf, type WithSources, type WithSourcesDeps } from './with-sources.ts'

export interface MediaRequestDeps extends WithSourcesDeps, LostFilesDeps {
  enqueue: Enqueue
  covers: WithSourcesDeps['covers'] & LostFilesDeps['covers']
  posts: Posts
  published: Pick<PublishedPosts, 'isPublic'>
  /** Made for every post that is published. */
  kindsOnPublish(): readonly string[]
}

/** How media are asked for. */
export interface MediaRequests {
  /**
   * Asks for media of a public post; for the same text and kinds the same job. Without `kinds`, those it should have or had, or else
   * a podcast. With a film comes the audio. A picture of the podcast that could not be drawn is tried again, and files of these
   * kinds that are gone from the store are made again.
   * @throws NotFoundError, ConflictError for a post that is not public, InputError for unknown kinds
   */
  generate(post_id: string, kinds: readonly string[] | undefined, actor: string): Promise<MediaJobRow>
  /**
   * Asks for what a post should have: what was asked for it, and what every post has. Nothing for a post that is not public.
   * `leavesFailed`: what has failed is not tried again. A picture of the podcast that could not be drawn never is.
   */
  follow(post_id: string, options: { isNew: boolean; leavesFailed?: boolean }): Promise<void>
  /** Those of the posts that `follow` has something to do for. */
  listAffected(post_ids: readonly string[], options: { isNew: boolean }): Promise<readonly string[]>
  /** Of the text and the voice as they are now. */
  hashOf(post: Post): string
  withSources: WithSources
}

export function createMediaRequests(deps: MediaRequestDeps): MediaRequests {
  const { db, posts, published } = deps
  const withSources: WithSources = (post_id, work) => runWithSources(deps, post_id, work)
  const wantedOf = async (tx: Queryable, post_id: string, isNew: boolean) => {
    const asked = isNew ? (await posts.askedMedia(tx, [post_id])).get(post_id) : undefined
    const onPublish = isNew ? deps.kindsOnPublish() : []
    return kindsInOrder([...onPublish, ...(asked ?? []), ...(await listWantedKinds(tx, post_id))])
  }
  return {
    hashOf: post => textHash(post, deps.speech.chosen().voice),
    withSources,
    generate: async (post_id, kinds, actor) => {
      const faults = kindFaults(kinds)
      if (Object.keys(faults).length > 0) throw new InputError(faults)
      const lost = await listLost(deps, post_id)
      return withSources(post_id, async (tx, sourcesOf) => {
        const post = await lockPost(deps, tx, post_id)
        if (!(await published.isPublic(tx, post_id)))
          throw new ConflictError(
            `Post ${post_id} is ${post.status}: media are made of public posts only. Publish it first.`
          )
        const wanted = kinds ?? [...(await wantedOf(tx, post_id, true)), ...lost.map(({ kind }) => kind)]
        const media = kindsInOrder(wanted.length > 0 ? wanted : ['podcast'])
        const isLost = await forgetLost(tx, post_id, { lost, kinds: media })
        return ask(deps, tx, post, media, { sourcesOf, actor, isLost })
      })
    },
    listAffected: async (post_ids, { isNew }) => {
      if (isNew && deps.kindsOnPublish().length > 0) return post_ids
      const asked = isNew ? (await posts.askedMedia(db, post_ids)).keys() : []
      return [...new Set([...asked, ...(await listPostsWithJobs(db, post_ids))])]
    },
    follow: async (post_id, { isNew, leavesFailed = false }) => {
      if (!(await published.isPublic(db, post_id)) || (await wantedOf(db, post_id, isNew)).length === 0) return
      await withSources(post_id, async (tx, sourcesOf) => {
        const post = await lockPost(deps, tx, post_id)
        if (!(await published.isPublic(tx, post_id))) return
        // Read again: somebody may have removed the media since.
        const kinds = await wantedOf(tx, post_id, isNew)
        if (kinds.length === 0) return
        await ask(deps, tx, post, kinds, { sourcesOf, actor: 'media', leavesFailed, allowsNoArt: true })
      })
    }
  }
}

/** The post as it stays until the transaction ends. The post comes first: whoever finishes or withdraws has this order as well. */
async function lockPost({ posts }: MediaRequestDeps, tx: Tx, post_id: string): Promise<Post> {
  await posts.lock(tx, post_id)
  const post = await posts.readStored(tx, post_id)
  if (post === undefined) throw new NotFoundError(`There is no post ${post_id}.`)
  return post
}

interface AskOptions {
  sourcesOf: SourcesOf
  actor: string
  leavesFailed?: boolean
  /** Files that were made are gone from the store. */
  isLost?: boolean
  /** Audio that lacks the picture of the podcast is as it should be. */
  allowsNoArt?: boolean
}

/** Of a post that is locked. */
async function ask(
  deps: MediaRequestDeps,
  tx: Tx,
  post: Post,
  media: readonly MediaKind[],
  { sourcesOf, actor, leavesFailed = false, isLost = false, allowsNoArt = false }: AskOptions
): Promise<MediaJobRow> {
  const { enqueue, posts } = deps
  const sources = sourcesOf(post)
  const hash = textHash(post, sources.voice)
  const job = await ensureJob(tx, { post_id: post.post_id, media: [...media], hash, requested_by: actor })
  if ((leavesFailed && job.state === 'failed') || (await isStanding(tx, job, { sources, isLost, allowsNoArt })))
    return job
  await replaceOlder(tx, post.post_id, hash)
  await moveJob(tx, job.job_id, 'ask')
  const offered = offeredKinds(await listKinds(tx, [post.post_id]))
  await posts.setMedia(tx, post.post_id, { media: offered, state: 'pending', error: null }, { actor })
  await enqueueMaking({ enqueue, posts }, tx, job)
  return Object.assign(job, { state: 'pending' as const, error: null })
}

/** Some 3,000 words, which are 20 minutes of speech. */
const maxShortLength = 20_000

/** A job makes what a row asks for, now or later. Covers and long texts have queues of their own: neither waits for the others. */
export async function enqueueMaking(
  { enqueue, posts }: Pick<MediaRequestDeps, 'enqueue' | 'posts'>,
  tx: Tx,
  { job_id, post_id, media }: Pick<MediaJobRow, 'job_id' | 'post_id' | 'media'>,
  later?: { startAt: Date; waits?: number }
): Promise<void> {
  const isCover = media.every(kind => kind === 'image')
  const isLong = ((await posts.readStored(tx, post_id))?.content.length ?? 0) > maxShortLength
  const type = isCover ? MakeCover : isLong ? MakeLongMedia : MakeMedia
  const { startAt, ...count } = later ?? {}
  await enqueue(tx, type, { job_id, ...count }, { key: job_id, ...(startAt === undefined ? {} : { startAt }) })
}

/** It will be made, or was made and its files are still those of this text and picture. */
async function isStanding(
  tx: Tx,
  { state, post_id, media }: MediaJobRow,
  { sources, isLost, allowsNoArt }: { sources: MediaSources; isLost: boolean; allowsNoArt: boolean }
): Promise<boolean> {
  if (isInWork(state)) return true
  if (state !== 'done' || isLost) return false
  const files = await listFiles(tx, post_id)
  return missingOutput(media, allowsNoArt ? allowingNoArt(files, sources) : files, mediaHashes(sources)) === null
}
