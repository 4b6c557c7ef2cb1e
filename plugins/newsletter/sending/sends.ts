import { ConflictError, type Db, type Enqueue, NotFoundError, type Settings, type Tx } from '#core'
import type { DecisionBy, Gates } from '#plugins/gates'
import type { Notify } from '#plugins/notify'
import { pausedNotice } from '../notices.ts'
import {
  findEarlierSend,
  findSend,
  insertSend,
  listMailedPosts,
  lockSend,
  type MailContent,
  moveSend,
  resolveSend,
  type SendRow
} from '../repository/sends.ts'
import type { newsletterSettings } from '../settings.ts'
import { type SendAction, sendStatusAfter } from '../states.ts'
import { type Contents, type DigestContent, type DigestRange, hashOfContent, maxDigestPosts } from './contents.ts'
import { heldSubjectOf, sendGateName } from './held-subject.ts'
import { SendNewsletters } from './jobs.ts'
import { readViews, type SendView } from './views.ts'

export interface SendDeps {
  db: Db
  contents: Contents
  gates: Gates
  settings: Settings<typeof newsletterSettings>
  enqueue: Enqueue
  notify: Notify | undefined
}

/** What is to be mailed, by whom and when. `send_at` null: now. */
interface SendRequest {
  actor: string
  send_at: Date | null
  /** On the publication of the post, or when a digest is due. */
  isAutomatic?: boolean
  /** Also to those who got it before. */
  isAgain?: boolean
  /** Why it waits for an operator, whatever the gate is. */
  pausedReason?: string | null
}

/** A digest as it was made. */
export interface NewDigest extends SendView {
  /** How many posts of its days are not in it, because a newsletter held them before. */
  left_out: number
  /** It is full: older posts of its days that no newsletter held are left for another one. */
  has_more: boolean
}

/** Mails to all subscribers, as operators decide on them. Ids may be prefixes; errors are those of `resolveId`. */
export interface Sends {
  /**
   * @returns undefined for a post that was mailed before, when it is automatic
   * @throws ConflictError for one that any newsletter held before, or that is not public
   */
  createForPost(post_id: string, request: SendRequest): Promise<SendView | undefined>
  /**
   * @returns undefined when there is no such post, or all of them were in a digest before, when it is automatic
   * @throws ConflictError as `newDigest`
   */
  createDigest(range: DigestRange, request: SendRequest): Promise<NewDigest | undefined>
  /**
   * What a digest by hand holds: with `isAgain` the newest posts of these days, else those that no newsletter held before.
   * @throws ConflictError when newsletters held all of them
   */
  newDigest(range: DigestRange, isAgain: boolean): Promise<DigestContent>
  approve(id: string, by: DecisionBy): Promise<SendView>
  reject(id: string, by: DecisionBy): Promise<SendView>
  pause(id: string, actor: string): Promise<SendView>
  /** Goes on; through the gate when it never was approved. */
  resume(id: string, actor: string): Promise<SendView>
  cancel(id: string, actor: string): Promise<SendView>
  read(id: string): Promise<SendView>
}

export function createSends(deps: SendDeps): Sends {
  const { db, contents } = deps
  const read = async (id: string) => {
    const send_id = await resolveSend(db, id)
    const [view] = await readViews(db, [await requireSend(db, send_id)])
    return view ?? missing(send_id)
  }
  /** Decides in one transaction over the locked row. */
  const decide = async (id: string, decision: (tx: Tx, send: SendRow) => Promise<void>) => {
    const send_id = await resolveSend(db, id)
    await db.transaction(async tx => decision(tx, (await lockSend(tx, send_id)) ?? missing(send_id)))
    return read(send_id)
  }
  const create = async (send: NewSend | undefined, request: SendRequest) => {
    if (send === undefined) return undefined
    const added = await db.transaction(tx => addSend(deps, tx, send, request))
    return added === undefined ? undefined : read(added.send_id)
  }
  return {
    read,
    createForPost: async (post_id, request) =>
      create({ kind: 'post', post_id, ...(await contents.ofPost(post_id)) }, request),
    async createDigest(range, request) {
      const { isAutomatic = false, isAgain = false } = request
      const made = isAutomatic ? contents.ofDigest(range) : newDigest(deps, range, isAgain)
      const { content, left_out, has_more } = await made
      const view = await create(content && { kind: 'digest', post_id: null, ...content }, request)
      return view && { ...view, left_out, has_more }
    },
    newDigest: (range, isAgain) => newDigest(deps, range, isAgain),
    approve: (id, by) => decide(id, (tx, send) => approve(deps, tx, send, by)),
    reject: (id, by) => decide(id, (tx, send) => reject(deps, tx, send, by)),
    pause: (id, actor) => decide(id, (tx, send) => move(tx, send, 'pause', `Paused by ${actor}.`)),
    resume: (id, actor) => decide(id, (tx, send) => resume(deps, tx, send, actor)),
    cancel: (id, actor) =>
      decide(id, (tx, send) => cancelSend(deps, tx, send, { actor, reason: `Cancelled by ${actor}.` }))
  }
}

const missing = (send_id: string): never => {
  throw new NotFoundError(`There is no newsletter ${send_id}: "newsletter status" lists them.`)
}

const requireSend = async (db: Db, send_id: string): Promise<SendRow> =>
  (await findSend(db, send_id)) ?? missing(send_id)

async function newDigest(
  { db, contents }: Pick<SendDeps, 'db' | 'contents'>,
  range: DigestRange,
  isAgain: boolean
): Promise<DigestContent> {
  const made = await contents.ofDigest({ ...range, without: await listMailedPosts(db), isAgain })
  if (made.content !== undefined || made.left_out === 0) return made
  const once = made.left_out > maxDigestPosts ? `the newest ${maxDigestPosts} of them` : 'them'
  throw new ConflictError(
    `Newsletters held all posts of these days already: ${made.left_out}. With --again all subscribers get ${once} once more. Nothing was mailed.`
  )
}

type NewSend = MailContent & Pick<SendRow, 'kind' | 'post_id'>

async function addSend(
  deps: SendDeps,
  tx: Tx,
  send: NewSend,
  { actor, send_at, isAutomatic = false, isAgain = false, pausedReason: reason = null }: SendRequest
): Promise<SendRow | undefined> {
  const earlier = isAgain ? undefined : await findEarlierSend(tx, send, isAutomatic)
  if (earlier !== undefined) return isAutomatic ? undefined : refuseAgain(earlier, send)
  const action = reason !== null ? 'pause' : deps.gates.isOn(sendGateName) ? 'hold' : 'schedule'
  const status = sendStatusAfter(null, action)
  const content_hash = hashOfContent(send)
  const row = { ...send, content_hash, status, reason, requested_by: actor, send_at }
  const added = await insertSend(tx, row)
  if (reason !== null) await notifyPaused(deps, tx, added, reason)
  else if (action === 'hold') await deps.gates.hold(tx, sendGateName, heldSubjectOf(added), { actor, reason: null })
  else await wake(deps, tx, added)
  return added
}

function refuseAgain(earlier: SendRow, { kind }: Pick<SendRow, 'kind'>): never {
  const what = kind === 'post' ? 'This post has' : 'One of these posts has'
  const which = `${earlier.kind === 'post' ? '' : 'the digest '}${earlier.send_id}`
  throw new ConflictError(
    `${what} a newsletter already: ${which}, ${earlier.status}. With --again all subscribers get another one. Nothing was mailed.`
  )
}

const notifyPaused = async ({ notify }: SendDeps, tx: Tx, send: SendRow, reason: string): Promise<void> =>
  notify?.queue(tx, [
    { source: `newsletter:paused:${send.send_id}`, notice: pausedNotice(send, reason), kind: 'failed' }
  ])

/** Has the sender look at it in time. */
const wake = ({ enqueue }: Pick<SendDeps, 'enqueue'>, tx: Tx, { send_at }: Pick<SendRow, 'send_at'>): Promise<void> =>
  enqueue(tx, SendNewsletters, {}, { key: 'all', startAt: new Date(send_at) })

/** @throws ConflictError when its status does not allow it */
async function move(tx: Tx, send: SendRow, action: SendAction, reason: string | null): Promise<void> {
  sendStatusAfter(send.status, action)
  await moveSend(tx, send.send_id, action, reason)
}

async function approve(deps: SendDeps, tx: Tx, send: SendRow, by: DecisionBy): Promise<void> {
  if (by.content_hash != null && by.content_hash !== send.content_hash)
    throw new ConflictError(
      `The newsletter ${send.send_id} has changed since it was shown for this decision: look at it again and decide then. Nothing was changed.`,
      'CONTENT_CHANGED'
    )
  await move(tx, send, 'approve', null)
  await record(deps, tx, send, 'approved', by)
  await wake(deps, tx, send)
}

async function reject(deps: SendDeps, tx: Tx, send: SendRow, by: DecisionBy): Promise<void> {
  await move(tx, send, 'reject', by.reason)
  await record(deps, tx, send, 'rejected', by)
}

async function resume(deps: SendDeps, tx: Tx, send: SendRow, actor: string): Promise<void> {
  const isHeld = send.approved_at === null && deps.gates.isOn(sendGateName)
  await move(tx, send, isHeld ? 'hold' : 'schedule', null)
  if (isHeld)
    await deps.gates.hold(tx, sendGateName, heldSubjectOf(send), { actor, reason: send.reason, waits_again: true })
  else await wake(deps, tx, send)
}

/** Also when it waits at the gate, which it leaves. */
export async function cancelSend(
  deps: Pick<SendDeps, 'gates'>,
  tx: Tx,
  send: SendRow,
  by: { actor: string; reason: string }
): Promise<void> {
  await move(tx, send, 'cancel', by.reason)
  if (send.status === 'held') await record(deps, tx, send, 'cleared', by)
}

const record = (
  { gates }: Pick<SendDeps, 'gates'>,
  tx: Tx,
  { send_id, content_hash }: SendRow,
  decision: 'approved' | 'rejected' | 'cleared',
  { actor, reason }: Pick<DecisionBy, 'actor' | 'reason'>
): Promise<void> =>
  gates.record(tx, {
    gate_name: sendGateName,
    subject_type: 'newsletter',
    subject_id: send_id,
    decision,
    actor,
    reason,
    content_hash
  })
