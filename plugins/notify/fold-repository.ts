import type { Queryable, Tx } from '#core'
import type { Notice } from './index.ts'
import { type MessageKind, sentLately } from './repository.ts'

// What may have arrived already has to say so itself.
const foldable = `state = 'pending' and kind is not null and folds = 0 and unanswered = 0 and not_before <= now()`

/** Kinds of which more is due than may be sent one by one now, and how many of them may, where any may. */
export function listCrowded(
  db: Queryable,
  channel: string,
  perMinute: number
): Promise<{ kind: MessageKind; free: number }[]> {
  return db.query(
    `select kind, free from (
       select kind, count(*) as waiting, $2::int - (select count(*) from notify_messages recent
         where recent.channel = $1 and recent.kind = due.kind and ${sentLately}) as free
       from notify_messages due where channel = $1 and ${foldable} group by kind
     ) kinds where free > 0 and waiting > free`,
    [channel, perMinute]
  )
}

/** Messages that can be told together, oldest first, locked. */
export function lockFoldable(tx: Tx, channel: string, kind: MessageKind): Promise<{ id: number; title: string }[]> {
  return tx.query(
    `select id, notice->>'title' as title from notify_messages where channel = $1 and kind = $2 and ${foldable}
     order by id for update skip locked`,
    [channel, kind]
  )
}

/** Has one message tell of them all. */
export async function foldInto(
  tx: Tx,
  folded: readonly number[],
  message: { channel: string; kind: MessageKind; notice: Notice }
): Promise<void> {
  await tx.query(
    `with together as (
       insert into notify_messages (source, channel, notice, kind, folds) values ($1, $2, $3, $4, $5) returning id
     )
     update notify_messages set state = 'folded', folded_into = together.id
     from together where notify_messages.id = any ($6::bigint[])`,
    [
      `together:${folded[0]}-${folded.at(-1)}`,
      message.channel,
      JSON.stringify(message.notice),
      message.kind,
      folded.length,
      folded
    ]
  )
}
