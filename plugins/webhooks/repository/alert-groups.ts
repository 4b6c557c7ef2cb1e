import type { Tx } from '#core'
import type { AlertGroup } from '../alert-group.ts'

export interface StoredGroup extends AlertGroup {
  /** The message that began the thread; null before any. */
  thread: string | null
  /** ISO 8601. */
  notified_at: string | null
}

/** What is known of a group, which nobody else changes until the transaction ends. */
export async function lockGroup(tx: Tx, group_key: string): Promise<StoredGroup> {
  const [row] = await tx.query<StoredGroup>(
    `insert into alert_groups as known (group_key, alerts, is_firing) values ($1, '{}', false)
     on conflict (group_key) do update set updated_at = now() returning alerts, is_firing, thread, notified_at`,
    [group_key]
  )
  return row ?? { alerts: {}, is_firing: false, thread: null, notified_at: null }
}

export async function saveGroup(
  tx: Tx,
  group_key: string,
  { alerts, is_firing, thread, isNotified }: AlertGroup & { thread: string | null; isNotified: boolean }
): Promise<void> {
  await tx.query(
    `update alert_groups set alerts = $2::jsonb, is_firing = $3, thread = $4,
       notified_at = case when $5 then now() else notified_at end, updated_at = now()
     where group_key = $1`,
    [group_key, JSON.stringify(alerts), is_firing, thread, isNotified]
  )
}

/** Forgets groups that have not fired for so many days. */
export async function deleteOldGroups(tx: Tx, days: number): Promise<void> {
  await tx.query(`delete from alert_groups where not is_firing and updated_at < now() - $1 * interval '1 day'`, [days])
}
