import type { Queryable, Tx } from '#core'
import type { Notice, NoticeKind, NoticeSubject } from '../index.ts'
import { isToBeEdited } from './outcomes.ts'

/**
 * `sending`: a process has claimed it. `unknown`: given up after a request without an answer, so that it may have arrived.
 * `dropped`: its item was decided before it was sent. `combined`: combined with others into another message.
 */
export type MessageState = 'pending' | 'sending' | 'sent' | 'unknown' | 'failed' | 'dropped' | 'combined'

export interface NewMessage {
  source: string
  channel: string
  notice: Notice
  subject?: NoticeSubject | null
  kind?: NoticeKind | null
  /** The source of an earlier message, whose id is read when this one is sent. */
  thread?: string | null
  reply_to: string | null
  /** True: when its process ends while sending, it is not sent again. */
  is_sent_once?: boolean
}

/** A message claimed by this process. */
export interface ClaimedMessage {
  id: number
  notice: Notice
  reply_to: string | null
  attempts: number
  unanswered: number
}

/** A claim that is older was lost with its process: every request ends sooner. */
const lostAfter = `interval '20 seconds'`
/** Age at which a message is given up. */
const givenUpAfter = `interval '24 hours'`

/** Stores messages in order, except where the channel has one of the source. Returns whether any was new. */
export async function insertMessages(db: Queryable, messages: readonly NewMessage[]): Promise<boolean> {
  const rows = await db.query(
    `insert into notify_messages (source, channel, notice, gate_name, subject_id, content_hash, reply_to, thread, kind,
       is_sent_once)
     select source, channel, notice, subject->>'gate_name', subject->>'subject_id', subject->>'content_hash', reply_to, thread,
       kind, coalesce(is_sent_once, false)
     from rows from (jsonb_to_recordset($1::jsonb)
       as (source text, channel text, notice jsonb, subject jsonb, reply_to text, thread text, kind text,
         is_sent_once boolean)) with ordinality
     order by ordinality
     on conflict (source, channel) do nothing returning id`,
    [JSON.stringify(messages)]
  )
  return rows.length > 0
}

/** Times in the future, after the clock was set back, do not count. */
export const sentInLastMinute = `recent.sent_at > now() - interval '1 minute' and recent.sent_at < now() + interval '1 second'`

/** The time from which on the limit of a minute was reached; null when it is not. */
const limitReachedAt = (message: string, perMinute: string) => `(
  select recent.sent_at from notify_messages recent
  where recent.channel = ${message}.channel and recent.kind = ${message}.kind and ${sentInLastMinute}
  order by recent.sent_at desc offset ${perMinute} - 1 limit 1)`

/** Claims the next due message; at most `perMinute` of one kind. */
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
       where channel = $1 and state = 'pending' and not_before <= now() and ${limitReachedAt('due', '$3::int')} is null
         and not exists (select from notify_messages
           where channel = $1 and state = 'pending' and holds_channel and not_before > now())
       order by id limit 1 for update skip locked
     ) returning id, notice, attempts, unanswered, coalesce(reply_to, (
       select earlier.message_id from notify_messages earlier
       where earlier.source = notify_messages.thread and earlier.channel = notify_messages.channel)) as reply_to`,
    [channel, claim, perMinute]
  )
  return row
}

/** Claims a message that nobody else may send. */
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
 * Schedules a retry after `delaySeconds`, or gives the message up when it is too old or `isFinal`. With `holdsChannel` no
 * other message of the channel is sent until then. A message whose item was decided meanwhile is dropped.
 */
export async function markFailed(
  db: Queryable,
  id: number,
  claim: string,
  failure: { error: string; delaySeconds: number; isFinal: boolean; wasUnanswered: boolean; holdsChannel: boolean }
): Promise<MessageState | undefined> {
  const [row] = await db.query<{ state: MessageState }>(
    `update notify_messages set
       state = case when outcome is not null then 'dropped'
         when not $5 and created_at >= now() - ${givenUpAfter} then 'pending'
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

/** Makes all waiting messages of the channel due now. */
export async function retryNow(db: Queryable, channel: string): Promise<void> {
  await db.query(
    `update notify_messages set not_before = now() where channel = $1 and state = 'pending' and not_before > now()`,
    [channel]
  )
}

/**
 * Requeues messages whose process ended while sending: whether they arrived is unknown. `own` are the claims of this
 * process; when it `isAlone`, all others are lost. A message whose item was decided meanwhile is dropped.
 */
export async function requeueLost(
  db: Queryable,
  channel: string,
  { own, isAlone }: { own: readonly string[]; isAlone: boolean }
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update notify_messages set unanswered = unanswered + 1, not_before = now(),
       state = case when outcome is not null then 'dropped' when is_sent_once then 'unknown' else 'pending' end,
       error = 'The process that sent it ended before the answer came.'
     where channel = $1 and state = 'sending' and claim <> all ($2::uuid[])
       and ($3 or claimed_at < now() - ${lostAfter})
     returning id`,
    [channel, own, isAlone]
  )
  return rows.map(({ id }) => id)
}

/** When the next message of the channel is due; null when none waits. */
export async function findNextDue(db: Queryable, channel: string, perMinute: number): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select least(
       (select greatest(
          min(case state when 'pending' then greatest(not_before, ${limitReachedAt('waiting', '$2::int')} + interval '1 minute')
            else claimed_at + ${lostAfter} end),
          max(not_before) filter (where state = 'pending' and holds_channel))
        from notify_messages waiting where channel = $1 and state in ('pending', 'sending')),
       (select min(edit_due_at) from notify_messages where channel = $1 and ${isToBeEdited})) as at`,
    [channel, perMinute]
  )
  return row?.at ?? null
}

/**
 * What a chat was shown of a held item. `unseen`: it was shown no content. `later`: it got its first message about the item only
 * after the command. `combined`: it was told of the item only in a combined message.
 */
export interface ShownContent {
  content_hash: string | null
  unseen: 'later' | 'combined' | null
}

/** The messages of a channel about an item. `id_prefix`: its id, or a prefix of it. */
interface ItemFilter {
  channel: string
  gate_name: string
  id_prefix: string
}

/** A command, and where it stands among the messages of its chat, whose numbers rise. */
export interface CommandPlace {
  /** The number of the message that it was given by: what the chat shows before it was seen. */
  before: number | null
  /** The number of the message that it answers, or whose button was pressed: if that is about the item, it counts. */
  answers: number | null
}

/**
 * The content that the chat had been shown of an item when a command was given: that of the answered message, else of the newest
 * one before the command. A combined message shows no content. Undefined without a message about it.
 */
export async function findShown(
  db: Queryable,
  filter: ItemFilter,
  { before, answers }: CommandPlace
): Promise<ShownContent | undefined> {
  const [row] = await db.query<ShownContent>(
    `select content_hash, case place when 4 then 'later' when 5 then 'combined' end as unseen from (
       select id, content_hash, case
         when is_combined then 5
         when number = $5 then 1
         when number < $4 then 2
         -- It was sent without an answer: it may have arrived, and nobody knows where.
         when $4::bigint is null or number is null or unanswered > 0 then 3
         else 4 end as place
       from (
         select about.id, about.content_hash, about.unanswered, about.combined_into is not null as is_combined,
           substring(about.message_id from '^[0-9]{1,18}$')::bigint as number
         from notify_messages about left join notify_messages whole on whole.id = about.combined_into
         where about.channel = $1 and about.gate_name = $2 and starts_with(about.subject_id, $3)
           and (coalesce(whole.state, about.state) in ('sent', 'unknown', 'sending')
             or about.unanswered + coalesce(whole.unanswered, 0) > 0)
       ) as numbered
     ) as placed
     order by place, id desc limit 1`,
    [filter.channel, filter.gate_name, filter.id_prefix, before, answers]
  )
  return row
}

/**
 * Whether a button's message has a row here: about the item, or about none, such as an answer. A row about the item that was sent
 * without an answer may be the one.
 */
export async function isButtonRecorded(db: Queryable, filter: ItemFilter, number: number | null): Promise<boolean> {
  const rows = await db.query(
    `select 1 from notify_messages
     where channel = $1 and (subject_id is null and message_id = $4
       or gate_name = $2 and starts_with(subject_id, $3)
         and (message_id = $4 or combined_into is null and (unanswered > 0 or state = 'sending'))) limit 1`,
    [filter.channel, filter.gate_name, filter.id_prefix, number === null ? null : String(number)]
  )
  return rows.length > 0
}

/** Deletes finished messages after three months. */
export async function deleteOld(tx: Tx): Promise<void> {
  await tx.query(
    `delete from notify_messages
     where created_at < now() - interval '90 days' and state not in ('pending', 'sending')`
  )
}
