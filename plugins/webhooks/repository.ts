import type { Queryable } from '#core'

/** The landing tables, by name. */
export const landingTables = ['alert_events', 'revenue_events', 'subscriber_events'] as const
export type LandingTable = (typeof landingTables)[number]

export interface WebhookDelivery {
  event_id: string
  event_type: string
  /** JSON as received: parsing it would round large numbers. */
  payload: string
}

/** Stores a delivery once. A redelivery gets the id of the first. */
export async function storeDelivery(
  db: Queryable,
  table: LandingTable,
  { event_id, event_type, payload }: WebhookDelivery
): Promise<{ id: string; duplicate: boolean }> {
  const [row] = await db.query<{ id: string; duplicate: boolean }>(
    `with inserted as (
       insert into ${table} (event_id, event_type, payload) values ($1, $2, $3)
       on conflict (event_id) do nothing returning id
     )
     select id, false as duplicate from inserted
     union all select id, true from ${table} where event_id = $1
     limit 1`,
    [event_id, event_type, payload]
  )
  // A concurrent insert: its row was not visible to this statement yet.
  return row ?? storeDelivery(db, table, { event_id, event_type, payload })
}
