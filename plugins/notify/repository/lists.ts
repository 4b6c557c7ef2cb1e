import type { Queryable } from '#core'
import type { MessageState } from './messages.ts'

/** A message as lists show it. */
export interface MessageView {
  id: number
  channel: string
  title: string
  state: MessageState
  attempts: number
  /** Unanswered requests; each may have arrived. */
  unanswered: number
  /** The chat service's id. */
  message_id: string | null
  error: string | null
  created_at: string
  sent_at: string | null
}

const viewColumns = `id, channel, notice->>'title' as title, state, attempts, unanswered, message_id, error, created_at, sent_at`

/** Messages, newest first. */
export function listMessages(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number }
): Promise<MessageView[]> {
  return db.query<MessageView>(`select ${viewColumns} from notify_messages order by id desc limit $1 offset $2`, [
    limit,
    offset
  ])
}

export async function countMessages(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>('select count(*) as total from notify_messages')
  return row?.total ?? 0
}

export async function findMessage(db: Queryable, id: number): Promise<MessageView | undefined> {
  const [row] = await db.query<MessageView>(`select ${viewColumns} from notify_messages where id = $1`, [id])
  return row
}

interface Undelivered {
  state: MessageState
  count: number
  error: string | null
  /** Given up, and the channel has delivered another message since. */
  is_past: boolean
}

/** Late, failed and unconfirmed messages of the last day, by state: those for these channels; null for all. */
export function countUndelivered(db: Queryable, channels: readonly string[] | null): Promise<Undelivered[]> {
  return db.query(
    `select state, count(*) as count, max(error) as error, is_past from (
       select state, error, state <> 'pending' and exists (
         select from notify_messages as later where later.channel = message.channel
           and later.state = 'sent' and later.sent_at > coalesce(message.claimed_at, message.created_at)
       ) as is_past from notify_messages as message
       where created_at > now() - interval '24 hours' and ($1::text[] is null or channel = any($1))
         and (state in ('failed', 'unknown') or (state = 'pending' and attempts > 2))
     ) as undelivered group by state, is_past order by state`,
    [channels]
  )
}
