import type { Queryable, Tx } from '#core'
import type { Notice, NoticeKind } from '../index.ts'
import { sentInLastMinute } from './messages.ts'

/** A message that may have arrived already is never combined: a combined message could not say so of one item. */
const combinable = `state = 'pending' and kind is not null and combined_count = 0 and unanswered = 0 and not_before <= now()`

/** Kinds with more due messages than the limit allows, and how many it still allows (at least one). */
export function listExceeding(
  db: Queryable,
  channel: string,
  perMinute: number
): Promise<{ kind: NoticeKind; free: number }[]> {
  return db.query(
    `select kind, free from (
       select kind, count(*) as waiting, $2::int - (select count(*) from notify_messages recent
         where recent.channel = $1 and recent.kind = due.kind and ${sentInLastMinute}) as free
       from notify_messages due where channel = $1 and ${combinable} group by kind
     ) kinds where free > 0 and waiting > free`,
    [channel, perMinute]
  )
}

/** Messages that can be combined, oldest first, locked. */
export function lockCombinable(tx: Tx, channel: string, kind: NoticeKind): Promise<{ id: number; notice: Notice }[]> {
  return tx.query(
    `select id, notice from notify_messages where channel = $1 and kind = $2 and ${combinable}
     order by id for update skip locked`,
    [channel, kind]
  )
}

/** Replaces messages by one. */
export async function combineInto(
  tx: Tx,
  ids: readonly number[],
  message: { channel: string; kind: NoticeKind; notice: Notice }
): Promise<void> {
  await tx.query(
    `with combined as (
       insert into notify_messages (source, channel, notice, kind, combined_count) values ($1, $2, $3, $4, $5) returning id
     )
     update notify_messages set state = 'combined', combined_into = combined.id
     from combined where notify_messages.id = any ($6::bigint[])`,
    [`combined:${ids[0]}-${ids.at(-1)}`, message.channel, JSON.stringify(message.notice), message.kind, ids.length, ids]
  )
}
