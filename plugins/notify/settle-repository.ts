import type { Queryable } from '#core'
import type { Notice } from './index.ts'

/** Something that waited at a gate and does not any more, and what became of it. */
export interface Over {
  gate_name: string
  subject_id: string
  outcome: string
  /** Only what was told before the message of this source; null: all that was told. */
  before: string | null
}

// A chat service lets a message be changed for two days.
export const unsettled = `settle_at is not null and state = 'sent' and sent_at > now() - interval '48 hours'`

/**
 * What is over is not told any more; messages that told of it are to say what became of it, once, where the channel can
 * change what it sent. Answers the channels that have to.
 */
export async function settleMessages(
  db: Queryable,
  over: readonly Over[],
  settling: readonly string[]
): Promise<string[]> {
  const rows = await db.query<{ channel: string; settles: boolean }>(
    `with over as (
       select gate_name, subject_id, outcome, before is null as is_all,
         (select min(id) from notify_messages where source = before) as before_id
       from jsonb_to_recordset($1::jsonb) as given (gate_name text, subject_id text, outcome text, before text)
     )
     update notify_messages message set
       state = case when message.state = 'pending' then 'dropped' else message.state end,
       outcome = over.outcome,
       settle_at = case when message.state <> 'pending' and message.channel = any ($2::text[]) then now() end
     from over
     where message.gate_name = over.gate_name and message.subject_id = over.subject_id
       and message.state in ('pending', 'sending', 'sent') and message.outcome is null
       and (over.is_all or message.id < over.before_id)
     returning message.channel, message.settle_at is not null as settles`,
    [JSON.stringify(over), settling]
  )
  return [...new Set(rows.flatMap(({ channel, settles }) => (settles ? [channel] : [])))]
}

/** A message that is to say what became of what it told of. */
export interface UnsettledMessage {
  id: number
  message_id: string | null
  notice: Notice
  outcome: string
}

/** Takes the next of them in hand, for a minute. */
export async function claimUnsettled(db: Queryable, channel: string): Promise<UnsettledMessage | undefined> {
  const [row] = await db.query<UnsettledMessage>(
    `update notify_messages set settle_at = now() + interval '1 minute'
     where id = (select id from notify_messages where channel = $1 and ${unsettled} and settle_at <= now()
       order by settle_at, id limit 1 for update skip locked)
     returning id, message_id, notice, outcome`,
    [channel]
  )
  return row
}

export async function markSettled(db: Queryable, id: number): Promise<void> {
  await db.query('update notify_messages set settle_at = null where id = $1', [id])
}
