import type { Queryable } from '../../core/db/db.ts'

const maxRows = 20

/** The addresses that the newest audit rows of a type hold, each once. */
export async function listAddresses(db: Queryable, event_type: string, since: Date): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select details->>'address' as address from audit_log where event_type = $1 and at >= $2
     order by at desc, id desc limit $3`,
    [event_type, since, maxRows]
  )
  return [...new Set(rows.map(({ address }) => address))]
}
