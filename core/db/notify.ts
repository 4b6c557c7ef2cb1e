import type { Queryable } from '../contract/database.ts'

/** Sends a notification, delivered when the transaction commits; equal ones of one transaction arrive once. */
export async function notify(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  await db.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [channel, payloads])
}
