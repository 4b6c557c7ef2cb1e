import type { Db, Settings, Tx } from '#core'
import { type BatchedEvent, ConflictError } from '#core'
import type { PostEvent, PublishedPosts } from '#plugins/posts'
import { findLastDigest, listUnsentOf, lockSend, moveSend, replaceContent, type SendRow } from '../repository/sends.ts'
import type { newsletterSettings } from '../settings.ts'
import { type Contents, hashOfContent } from './contents.ts'
import { heldSubjectOf, sendGateName } from './held-subject.ts'
import { cancelSend, type SendDeps, type Sends } from './sends.ts'

/** What is older was imported, or is published again: nobody waits for it. */
const newForMs = 24 * 60 * 60_000
const dayMs = 86_400_000

export interface FollowDeps extends Pick<SendDeps, 'gates'> {
  db: Db
  contents: Contents
  sends: Sends
  published: Pick<PublishedPosts, 'texts'>
  settings: Settings<typeof newsletterSettings>
  now(): Date
}

/** What happens to newsletters when posts change. */
export interface PostFollower {
  published(events: readonly BatchedEvent<PostEvent>[]): Promise<void>
  edited(event: PostEvent): Promise<void>
  withdrawn(event: PostEvent): Promise<void>
  createDigestIfDue(): Promise<void>
}

export function createPostFollower(deps: FollowDeps): PostFollower {
  const { db, contents, sends, settings, now } = deps
  return {
    async published(events) {
      if (!settings.get('newsletter_on_publish')) return
      const found = await deps.published.texts(
        db,
        events.map(({ payload }) => payload.post_id)
      )
      for (const { post } of found) {
        const isNew = post.published_at !== null && now().getTime() - Date.parse(post.published_at) < newForMs
        if (isNew) await mailOnPublication(sends, post.post_id)
      }
    },
    async edited({ post_id }) {
      const waiting = await db.transaction(tx => listUnsentOf(tx, post_id))
      if (waiting.length === 0) return
      const content = await contents.ofPost(post_id)
      const content_hash = hashOfContent(content)
      await db.transaction(async tx => {
        for (const { send_id } of await listUnsentOf(tx, post_id))
          await reopen(deps, tx, await lockSend(tx, send_id), { ...content, content_hash })
      })
    },
    withdrawn: ({ post_id, actor }) =>
      db.transaction(async tx => {
        for (const { send_id } of await listUnsentOf(tx, post_id)) {
          const send = await lockSend(tx, send_id)
          if (send !== undefined) await cancelSend(deps, tx, send, { actor, reason: 'The post is no longer public.' })
        }
      }),
    async createDigestIfDue() {
      const days = settings.get('newsletter_digest_days')
      if (days === 0) return
      const last = await findLastDigest(db)
      if (last !== null && now().getTime() - Date.parse(last) < days * dayMs) return
      await sends.createDigest(days, { actor: 'newsletter', send_at: null })
    }
  }
}

async function mailOnPublication(sends: Sends, post_id: string): Promise<void> {
  try {
    await sends.createForPost(post_id, { actor: 'newsletter', send_at: null, isAutomatic: true })
  } catch (error) {
    // Withdrawn meanwhile.
    if (!(error instanceof ConflictError)) throw error
  }
}

/** A mail that nobody got yet follows its post, and waits again where it was approved. */
async function reopen(
  { gates }: Pick<FollowDeps, 'gates'>,
  tx: Tx,
  send: SendRow | undefined,
  content: Parameters<typeof replaceContent>[2]
): Promise<void> {
  if (send === undefined || send.started_at !== null || send.content_hash === content.content_hash) return
  await replaceContent(tx, send.send_id, content)
  if (send.status === 'paused' || !gates.isOn(sendGateName)) return
  await moveSend(tx, send.send_id, 'reopen', null)
  const changed = { ...heldSubjectOf(send), title: content.subject, content_hash: content.content_hash }
  await gates.hold(tx, sendGateName, changed, { actor: 'newsletter', reason: 'the post changed', waits_again: true })
}
