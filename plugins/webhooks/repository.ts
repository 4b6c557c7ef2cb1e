import type { Queryable } from '#core'

/** The landing tables, by name. */
export const landingTables = ['alert_events', 'revenue_events', 'subscriber_events'] as const
export type LandingTable = (typeof landingTables)[number]

export interface Landing {
  event_id: string
  event_type: string
  /** JSON as it came: parsing it would round large numbers. */
  payload: string
}

/** Stores a delivery once; a redelivery answers the first one's id. */
export async function land(
  db: Queryable,
  table: LandingTable,
  { event_id, event_type, payload }: Landing
): Promise<{ id: string; duplicate: boolean }> {
  const [row] = await db.query<{ id: string; duplicate: boolean }>(
    `with landed as (
       insert into ${table} (event_id, event_type, payload) values ($1, $2, $3)
       on conflict (event_id) do nothing returning id
     )
     select id, false as duplicate from landed
     union all select id, true from ${table} where event_id = $1
     limit 1`,
    [event_id, event_type, payload]
  )
  // Two at once: the other one's row was not visible to this statement yet.
  return row ?? land(db, table, { event_id, event_type, payload })
}
