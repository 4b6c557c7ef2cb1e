import type { Queryable, Tx } from '#core'
import type { Notice, NoticeSubject } from './index.ts'
import { unsettled } from './settle-repository.ts'

/**
 * `sending`: a process has it in hand. `unknown`: given up after a sending that got no answer, so that it may have arrived.
 * `dropped`: what it told of was decided before it was sent. `folded`: it is told together with others, by another message.
 */
export type MessageState = 'pending' | 'sending' | 'sent' | 'unknown' | 'failed' | 'dropped' | 'folded'

/** What is told together when there is much of it at once. */
export type MessageKind = 'held' | 'failed' | 'alert'

/** A message as listings show it. */
export interface MessageView {
  id: number
  channel: string
  title: string
  state: MessageState
  attempts: number
  /** Sendings that got no answer; each of them may have arrived. */
  unanswered: number
  /** The service's own id of it. */
  message_id: string | null
  error: string | null
  created_at: string
  sent_at: string | null
}

export interface NewMessage {
  source: string
  channel: string
  notice: Notice
  subject: NoticeSubject | null
  kind: MessageKind | null
  reply_to: string | null
}

/** A message this process has in hand. */
export interface ClaimedMessage {
  id: number
  notice: Notice
  reply_to: string | null
  attempts: number
  unanswered: number
}

/** A sending that says nothing for so long was lost with its process: each request ends sooner. */
const lostAfter = `interval '20 seconds'`
/** What could not be delivered for so long is given up. */
const givenUpAfter = `interval '24 hours'`

/** Stores messages, in their order, but where there is one of the source on the channel. Answers whether any was new. */
export async function insertMessages(db: Queryable, messages: readonly NewMessage[]): Promise<boolean> {
  const rows = await db.query(
    `insert into notify_messages (source, channel, notice, gate_name, subject_id, content_hash, reply_to, kind)
     select source, channel, notice, subject->>'gate_name', subject->>'subject_id', subject->>'content_hash', reply_to, kind
     from rows from (jsonb_to_recordset($1::jsonb)
       as (source text, channel text, notice jsonb, subject jsonb, reply_to text, kind text)) with ordinality
     order by ordinality
     on conflict (source, channel) do nothing returning id`,
    [JSON.stringify(messages)]
  )
  return rows.length > 0
}

/** Sent within the last minute. A clock that was set back makes what was sent before lie ahead: that does not count. */
export const sentLately = `recent.sent_at > now() - interval '1 minute' and recent.sent_at < now() + interval '1 second'`

/** When the last of so many messages of a kind within a minute was sent: until a minute later no other is. */
const lastOfMany = (message: string, perMinute: string) => `(
  select recent.sent_at from notify_messages recent
  where recent.channel = ${message}.channel and recent.kind = ${message}.kind and ${sentLately}
  order by recent.sent_at desc offset ${perMinute} - 1 limit 1)`

/** Takes the next message that is due in hand; of one kind, at most `perMinute`. */
export async function claimNext(
  db: Queryable,
  channel: string,
  claim: string,
  perMinute: number
): Promise<ClaimedMessage | undefined> {
  const [row] = await db.query<ClaimedMessage>(
    `update notify_messages set state = 'sending', claim = $2, claimed_at = now(), attempts = attempts + 1
     where id = (
       select id from notify_messages due
       where channel = $1 and state = 'pending' and not_before <= now() and ${lastOfMany('due', '$3::int')} is null
         and not exists (select from notify_messages
           where channel = $1 and state = 'pending' and holds_channel and not_before > now())
       order by id limit 1 for update skip locked
     ) returning id, notice, reply_to, attempts, unanswered`,
    [channel, claim, perMinute]
  )
  return row
}

/** Takes a message in hand that nobody else may send. */
export async function claimOwn(db: Queryable, source: string, claim: string): Promise<ClaimedMessage | undefined> {
  const [row] = await db.query<ClaimedMessage>(
    `update notify_messages set state = 'sending', claim = $2, claimed_at = now(), attempts = attempts + 1
     where source = $1 and state = 'pending' returning id, notice, reply_to, attempts, unanswered`,
    [source, claim]
  )
  return row
}

export async function markSent(db: Queryable, id: number, claim: string, message_id: string | null): Promise<void> {
  await db.query(
    `update notify_messages set state = 'sent', message_id = $3, error = null, sent_at = now()
     where id = $1 and claim = $2 and state in ('sending', 'pending')`,
    [id, claim, message_id]
  )
}

/**
 * Puts a message back to be tried again after `delaySeconds`, or gives it up when it is too old or `isFinal`. Until then
 * it `holdsChannel`, when every other message would fare the same.
 */
export async function markFailed(
  db: Queryable,
  id: number,
  claim: string,
  failure: { error: string; delaySeconds: number; isFinal: boolean; wasUnanswered: boolean; holdsChannel: boolean }
): Promise<MessageState | undefined> {
  const [row] = await db.query<{ state: MessageState }>(
    `update notify_messages set
       state = case when not $5 and created_at >= now() - ${givenUpAfter} then 'pending'
         when unanswered + $6::int > 0 then 'unknown' else 'failed' end,
       error = $3, not_before = now() + $4 * interval '1 second', unanswered = unanswered + $6::int,
       holds_channel = $7
     where id = $1 and claim = $2 and state = 'sending' returning state`,
    [
      id,
      claim,
      failure.error,
      failure.delaySeconds,
      failure.isFinal,
      failure.wasUnanswered ? 1 : 0,
      failure.holdsChannel
    ]
  )
  return row?.state
}

/** Has every message of the channel tried now. */
export async function hasten(db: Queryable, channel: string): Promise<void> {
  await db.query(
    `update notify_messages set not_before = now() where channel = $1 and state = 'pending' and not_before > now()`,
    [channel]
  )
}

/**
 * Puts back messages whose process ended while it sent them: nobody knows whether they arrived. `own`: the claims of
 * this process; when it `isAlone`, any other is lost already.
 */
export async function returnLost(
  db: Queryable,
  channel: string,
  { own, isAlone }: { own: readonly string[]; isAlone: boolean }
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update notify_messages set unanswered = unanswered + 1, not_before = now(),
       state = case when source like 'now:%' then 'unknown' else 'pending' end,
       error = 'The process that sent it ended before the answer came.'
     where channel = $1 and state = 'sending' and claim <> all ($2::uuid[])
       and ($3 or claimed_at < now() - ${lostAfter})
     returning id`,
    [channel, own, isAlone]
  )
  return rows.map(({ id }) => id)
}

/** When the channel has something to look at next; null when nothing waits. */
export async function findNextDue(db: Queryable, channel: string, perMinute: number): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select least(
       (select greatest(
          min(case state when 'pending' then greatest(not_before, ${lastOfMany('waiting', '$2::int')} + interval '1 minute')
            else claimed_at + ${lostAfter} end),
          max(not_before) filter (where state = 'pending' and holds_channel))
        from notify_messages waiting where channel = $1 and state in ('pending', 'sending')),
       (select min(settle_at) from notify_messages where channel = $1 and ${unsettled})) as at`,
    [channel, perMinute]
  )
  return row?.at ?? null
}

/**
 * The content the operator was told of last: by the message a button hangs on, or for this id or a prefix of it.
 * Undefined when there was no such message.
 */
export async function findTold(
  db: Queryable,
  told: { channel: string; gate_name: string; id_prefix: string; message_id: string | null }
): Promise<{ content_hash: string | null } | undefined> {
  const [row] = await db.query<{ content_hash: string | null }>(
    `select content_hash from notify_messages
     where channel = $1 and gate_name = $2 and starts_with(subject_id, $3) and state in ('sent', 'unknown', 'folded')
       and ($4::text is null or message_id = $4)
     order by id desc limit 1`,
    [told.channel, told.gate_name, told.id_prefix, told.message_id]
  )
  return row
}

const listed = `id, channel, notice->>'title' as title, state, attempts, unanswered, message_id, error, created_at, sent_at`

/** Messages, newest first. */
export function listMessages(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number }
): Promise<MessageView[]> {
  return db.query<MessageView>(`select ${listed} from notify_messages order by id desc limit $1 offset $2`, [
    limit,
    offset
  ])
}

export async function countMessages(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>('select count(*) as total from notify_messages')
  return row?.total ?? 0
}

export async function findMessage(db: Queryable, id: number): Promise<MessageView | undefined> {
  const [row] = await db.query<MessageView>(`select ${listed} from notify_messages where id = $1`, [id])
  return row
}

/** Messages of the last day that are late, given up or of unknown outcome, by state. */
export function countTroubled(db: Queryable): Promise<{ state: MessageState; count: number; error: string | null }[]> {
  return db.query(
    `select state, count(*) as count, max(error) as error from notify_messages
     where created_at > now() - interval '24 hours'
       and (state in ('failed', 'unknown') or (state = 'pending' and attempts > 2))
     group by state order by state`
  )
}

/** Settled messages are kept for three months. */
export async function prune(tx: Tx): Promise<void> {
  await tx.query(
    `delete from notify_messages
     where created_at < now() - interval '90 days' and state not in ('pending', 'sending')`
  )
}
