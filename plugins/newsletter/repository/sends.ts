import type { Queryable, Tx } from '#core'
import { type IdRange, resolveId } from '#lists'
import { openSendStatuses, type SendAction, type SendStatus, sendTransitions } from '../states.ts'

/** A mail to all subscribers, without its text. Times are ISO 8601. */
export interface SendRow {
  send_id: string
  kind: 'post' | 'digest'
  post_id: string | null
  /** All posts in it. */
  post_ids: string[]
  subject: string
  content_hash: string
  status: SendStatus
  reason: string | null
  requested_by: string
  created_at: string
  send_at: string
  not_before: string
  failures: number
  last_error: string | null
  approved_at: string | null
  started_at: string | null
  finished_at: string | null
}

const columns = `send_id, kind, post_id, post_ids, subject, content_hash, status, reason, requested_by, created_at, send_at, not_before,
  failures, last_error, approved_at, started_at, finished_at`

/** What is mailed: the same for everybody but for the link to unsubscribe. */
export interface MailText {
  subject: string
  html: string
  text: string
}

export interface MailContent extends MailText {
  /** The posts in it. */
  post_ids: readonly string[]
}

interface NewSend extends MailContent {
  kind: 'post' | 'digest'
  post_id: string | null
  content_hash: string
  status: SendStatus
  /** Why it is paused. */
  reason: string | null
  requested_by: string
  send_at: Date | null
}

/** @returns the new row */
export async function insertSend(tx: Tx, send: NewSend): Promise<SendRow> {
  const { kind, post_id, post_ids, subject, html, text, content_hash, status, reason, requested_by, send_at } = send
  const [row] = await tx.query<SendRow>(
    `insert into newsletter_sends (kind, post_id, post_ids, subject, html, text, content_hash, status, reason, requested_by, send_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, now())) returning ${columns}`,
    [kind, post_id, post_ids, subject, html, text, content_hash, status, reason, requested_by, send_at]
  )
  if (row === undefined) throw new TypeError('The newsletter was not stored.')
  return row
}

/** Of a mail that is cancelled because no post of it is public any more. */
export async function markWithdrawn(tx: Tx, send_id: string): Promise<void> {
  await tx.query('update newsletter_sends set is_withdrawn = true where send_id = $1', [send_id])
}

/** Some got it, or may still get it. */
const mayReach = `(
  status not in ('rejected', 'cancelled') or exists (
    select from newsletter_recipients as recipient where recipient.send_id = send.send_id
      and (unanswered > 0 or state not in ('queued', 'suppressed', 'refused'))
  )
)`

/**
 * The newest newsletter with one of these posts that some have got, or may still get: another one would reach them twice. Until
 * the transaction ends nobody else makes one. `isAutomatic`: only one of the same kind with all of the posts counts, also one
 * that an operator cancelled or rejected, but none that was withdrawn with its posts.
 */
export async function findEarlierSend(
  tx: Tx,
  { kind, post_ids }: Pick<NewSend, 'kind' | 'post_ids'>,
  isAutomatic: boolean
): Promise<SendRow | undefined> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('newsletter.sends', 0))")
  const [row] = await tx.query<SendRow>(
    `select ${columns} from newsletter_sends as send where case
       when $3 then kind = $1 and post_ids @> $2::uuid[] and (not is_withdrawn or ${mayReach})
       else (post_ids && $2::uuid[] or withdrawn_post_ids && $2::uuid[]) and ${mayReach}
     end order by created_at desc limit 1`,
    [kind, post_ids, isAutomatic]
  )
  return row
}

/** The posts of all newsletters, of either kind, that some have got, or may still get. */
export async function listMailedPosts(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>(
    `select distinct unnest(post_ids || withdrawn_post_ids) as post_id from newsletter_sends as send where ${mayReach}`
  )
  return rows.map(({ post_id }) => post_id)
}

export async function replaceContent(
  tx: Tx,
  send_id: string,
  { post_ids, subject, html, text, content_hash }: MailContent & { content_hash: string }
): Promise<void> {
  await tx.query(
    `update newsletter_sends set post_ids = $2, subject = $3, html = $4, text = $5, content_hash = $6,
       withdrawn_post_ids = case when started_at is null then '{}' else
         withdrawn_post_ids || array(select unnest(post_ids) except select unnest($2::uuid[])) end,
       approved_at = case when started_at is null then null else approved_at end
     where send_id = $1`,
    [send_id, post_ids, subject, html, text, content_hash]
  )
}

export const resolveSend = (db: Queryable, text: string): Promise<string> =>
  resolveId(db, 'newsletter_sends', 'send_id', text)

export async function findSend(db: Queryable, send_id: string): Promise<SendRow | undefined> {
  const [row] = await db.query<SendRow>(`select ${columns} from newsletter_sends where send_id = $1`, [send_id])
  return row
}

/** The send, locked until the transaction ends. */
export async function lockSend(tx: Tx, send_id: string): Promise<SendRow | undefined> {
  const [row] = await tx.query<SendRow>(`select ${columns} from newsletter_sends where send_id = $1 for update`, [
    send_id
  ])
  return row
}

/** What is mailed; undefined when it is no longer to be sent: it was paused or cancelled meanwhile. */
export async function readContentToSend(db: Queryable, send_id: string): Promise<MailContent | undefined> {
  const [row] = await db.query<MailContent>(
    `select post_ids, subject, html, text from newsletter_sends where send_id = $1 and status = 'sending'`,
    [send_id]
  )
  return row
}

export function listSends(db: Queryable, { limit, offset }: { limit: number; offset: number }): Promise<SendRow[]> {
  return db.query<SendRow>(
    `select ${columns} from newsletter_sends order by created_at desc, send_id desc limit $1 offset $2`,
    [limit, offset]
  )
}

export async function countSends(db: Queryable, status: SendStatus | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from newsletter_sends where $1::text is null or status = $1',
    [status]
  )
  return row?.count ?? 0
}

/** What waits at the gate, longest first; with `ids` only those whose own id, or whose post's, is in that range. */
export function listHeldSends(db: Queryable, limit: number, ids?: IdRange): Promise<SendRow[]> {
  const [first = null, last = null] = ids ?? []
  return db.query<SendRow>(
    `select ${columns} from newsletter_sends
     where status = 'held' and ($2::uuid is null or send_id between $2 and $3 or post_id between $2 and $3)
     order by created_at, send_id limit $1`,
    [limit, first, last]
  )
}

/** Moves a send if its status allows it. @returns whether it was moved */
export async function moveSend(tx: Tx, send_id: string, action: SendAction, reason: string | null): Promise<boolean> {
  const { from, to } = sendTransitions[action]
  const rows = await tx.query(
    `update newsletter_sends set status = $2, reason = $4,
       approved_at = case when $2 = 'scheduled' and status <> 'paused' then now() else approved_at end,
       started_at = case when $2 = 'sending' then coalesce(started_at, now()) else started_at end,
       finished_at = case when $2 in ('finished', 'cancelled', 'rejected') then now() else finished_at end,
       failures = 0, not_before = now()
     where send_id = $1 and status = any($3::text[]) returning send_id`,
    [send_id, to, from.filter(status => status !== null), reason]
  )
  return rows.length > 0
}

/** The next one to be sent or gone on with; undefined when none is due. */
export async function findDueSend(db: Queryable): Promise<SendRow | undefined> {
  const [row] = await db.query<SendRow>(
    `select ${columns} from newsletter_sends
     where status in ('scheduled', 'sending') and send_at <= now() and not_before <= now()
     order by status desc, send_at, send_id limit 1`
  )
  return row
}

/** When the next one is due; null when none waits. */
export async function findNextSend(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select min(greatest(send_at, not_before)) as at from newsletter_sends where status in ('scheduled', 'sending')`
  )
  return row?.at ?? null
}

/** Has a send wait until then, for its next rows or for a limit. */
export async function delaySend(db: Queryable, send_id: string, at: Date, reason: string | null): Promise<void> {
  await db.query('update newsletter_sends set not_before = $2, last_error = $3, failures = 0 where send_id = $1', [
    send_id,
    at,
    reason
  ])
}

/** Has a send wait because the mail server took nothing; `failures`: so often in a row. */
export async function delayAfterFailure(
  tx: Tx,
  send_id: string,
  { seconds, failures, error }: { seconds: number; failures: number; error: string }
): Promise<void> {
  await tx.query(
    `update newsletter_sends set not_before = now() + $2 * interval '1 second', last_error = $3, failures = $4
     where send_id = $1`,
    [send_id, seconds, error, failures]
  )
}

/** One that the mail server, or a limit, holds up; undefined for none. */
export async function findFailing(db: Queryable): Promise<Pick<SendRow, 'subject' | 'last_error'> | undefined> {
  const [row] = await db.query<Pick<SendRow, 'subject' | 'last_error'>>(
    `select subject, last_error from newsletter_sends
     where status in ('scheduled', 'sending') and last_error is not null order by created_at limit 1`
  )
  return row
}

/** The sends with a post that are not ended. */
export function listUnsentWith(db: Queryable, post_id: string): Promise<SendRow[]> {
  return db.query<SendRow>(
    `select ${columns} from newsletter_sends
     where post_ids @> array[$1::uuid] and status = any($2::text[]) order by send_id`,
    [post_id, openSendStatuses]
  )
}

/** Pauses every send that has not ended, so that an operator decides. @returns how many */
export async function pauseAll(tx: Tx, reason: string): Promise<number> {
  const { from, to } = sendTransitions.pause
  const rows = await tx.query(
    'update newsletter_sends set status = $2, reason = $1 where status = any($3::text[]) returning send_id',
    [reason, to, from.filter(status => status !== null)]
  )
  return rows.length
}
