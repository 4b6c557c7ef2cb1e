import { type BatchedEvent, ConflictError, type Db, type Settings, type Tx } from '#core'
import type { PostEvent, PublishedPosts } from '#plugins/posts'
import {
  listUnsentWith,
  lockSend,
  type MailContent,
  markWithdrawn,
  moveSend,
  replaceContent,
  type SendRow
} from '../repository/sends.ts'
import { findRestoreTime } from '../repository/state.ts'
import type { newsletterSettings } from '../settings.ts'
import { openSendStatuses } from '../states.ts'
import { type Contents, hashOfContent } from './contents.ts'
import { type Copies, possiblyMailedReason } from './copies.ts'
import { heldSubjectOf, sendGateName } from './held-subject.ts'
import { cancelSend, type SendDeps, type Sends } from './sends.ts'

/** The actor of what newsletters do by themselves. */
const own = 'newsletter'

/** What is older was imported, or is published again: nobody waits for it. */
const newForMs = 24 * 60 * 60_000

export interface FollowDeps extends Pick<SendDeps, 'gates'> {
  db: Db
  contents: Contents
  sends: Sends
  copies: Pick<Copies, 'check'>
  published: Pick<PublishedPosts, 'texts'>
  settings: Settings<typeof newsletterSettings>
  now(): Date
}

/** What happens to newsletters when posts change. */
export interface PostFollower {
  published(events: readonly BatchedEvent<PostEvent>[]): Promise<void>
  /** A post was edited, or withdrawn: mails with it that nobody got yet follow. */
  changed(event: PostEvent): Promise<void>
  /** False when a post of a mail is not public: then the mail was made again, or cancelled. */
  checkPublic(send: SendRow): Promise<boolean>
}

export function createPostFollower(deps: FollowDeps): PostFollower {
  const { db, contents, settings } = deps
  return {
    async published(events) {
      if (!settings.get('newsletter_on_publish')) return
      await deps.copies.check()
      const post_ids = events.map(({ payload }) => payload.post_id)
      for (const { post } of await deps.published.texts(db, post_ids)) await mailOnPublication(deps, post)
    },
    async changed({ post_id, actor }) {
      for (const send of await listUnsentWith(db, post_id)) await follow(deps, send, actor)
    },
    async checkPublic(send) {
      if (await contents.arePublic(send.post_ids)) return true
      await follow(deps, send, own)
      return false
    }
  }
}

interface PublishedPost {
  post_id: string
  published_at: string | null
  created_at: string
}

async function mailOnPublication({ db, sends, now }: FollowDeps, post: PublishedPost): Promise<void> {
  const isNew = post.published_at !== null && now().getTime() - Date.parse(post.published_at) < newForMs
  if (!isNew) return
  const restoredAt = await findRestoreTime(db)
  // It may have been published, and mailed, between the backup and the restore.
  const pausedReason = restoredAt !== null && new Date(post.created_at) < restoredAt ? possiblyMailedReason : null
  try {
    await sends.createForPost(post.post_id, { actor: 'newsletter', send_at: null, isAutomatic: true, pausedReason })
  } catch (error) {
    // Withdrawn meanwhile.
    if (!(error instanceof ConflictError)) throw error
  }
}

/** Makes a mail again of what its posts are now. One without a public post is cancelled. */
async function follow(deps: FollowDeps, { send_id, kind, post_ids }: SendRow, actor: string): Promise<void> {
  const content = await deps.contents.again({ kind, post_ids })
  await deps.db.transaction(async tx => {
    const send = await lockSend(tx, send_id)
    if (send === undefined || !openSendStatuses.includes(send.status)) return
    if (content !== undefined) return replace(deps, tx, { send, content, actor })
    await cancelSend(deps, tx, send, { actor, reason: withdrawnReason(kind) })
    await markWithdrawn(tx, send_id)
  })
}

const withdrawnReason = (kind: SendRow['kind']): string =>
  kind === 'post' ? 'The post is no longer public.' : 'None of its posts is public any more.'

interface Replacement {
  send: SendRow
  content: MailContent
  /** Who changed a post in it. */
  actor: string
}

/** A mail that nobody got yet waits again where it was approved. Of one under way, the rest of it names no withdrawn post. */
async function replace({ gates }: FollowDeps, tx: Tx, { send, content, actor }: Replacement): Promise<void> {
  const content_hash = hashOfContent(content)
  if (send.content_hash === content_hash) return
  if (send.started_at !== null && content.post_ids.length === send.post_ids.length) return
  await replaceContent(tx, send.send_id, { ...content, content_hash })
  if (send.started_at !== null || send.status === 'paused' || !gates.isOn(sendGateName)) return
  await moveSend(tx, send.send_id, 'reopen', null)
  const changed = { ...heldSubjectOf(send), title: content.subject, content_hash }
  await gates.hold(tx, sendGateName, changed, {
    actor: own,
    // A cover is made after the publication: then a second message follows the first one, and says why.
    reason: actor === own ? 'a post in it changed' : `a post in it was changed by ${actor}`,
    waits_again: true
  })
}
