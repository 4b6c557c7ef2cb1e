import type { Queryable, Tx } from '../db/db.ts'
import type { PageRequest } from '../http/pagination.ts'
import type { Period } from '../http/period.ts'

/** One row of the audit log. `details` depends on the event type. */
export interface AuditEntry {
  id: number
  at: string
  event_type: string
  actor: string
  details: Record<string, unknown>
}

/** Which rows: `since` counts from that moment on, `until` up to but not with it. */
export interface AuditFilter extends Partial<Period> {
  event_type?: string | undefined
  actor?: string | undefined
}

const columns = 'id, at, event_type, actor, details'

/** Writes a row in the transaction of what it tells of: neither is there without the other. */
export async function recordAudit(tx: Tx, entry: Pick<AuditEntry, 'event_type' | 'actor'> & { details: object }) {
  await tx.query('insert into audit_log (event_type, actor, details) values ($1, $2, $3::jsonb)', [
    entry.event_type,
    entry.actor,
    JSON.stringify(entry.details)
  ])
}

/** What the service notes by itself, again and again, is kept for so long; what somebody did, for ever. */
const notedDays = 7

/** Deletes what the service has noted of one type and is too old. */
export async function deleteOldAudit(tx: Tx, event_type: string): Promise<void> {
  await tx.query(`delete from audit_log where event_type = $1 and at < now() - $2 * interval '1 day'`, [
    event_type,
    notedDays
  ])
}

const fits = `($1::text is null or event_type = $1) and ($2::text is null or actor = $2)
  and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`

const filterParams = ({ event_type, actor, since, until }: AuditFilter) => [
  event_type ?? null,
  actor ?? null,
  since ?? null,
  until ?? null
]

/** Newest first. */
export function listAudit(db: Queryable, filter: AuditFilter, page: PageRequest): Promise<AuditEntry[]> {
  const [at = null, id = null] = page.after ?? []
  return db.query<AuditEntry>(
    `select ${columns} from audit_log
     where ${fits} and ($5::timestamptz is null or (at, id) < ($5, $6::bigint))
     order by at desc, id desc limit $7 offset $8`,
    [...filterParams(filter), at, id === null ? null : Number(id), page.limit + 1, page.offset]
  )
}

export async function countAudit(db: Queryable, filter: AuditFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from audit_log where ${fits}`,
    filterParams(filter)
  )
  return row?.count ?? 0
}

/** Rows with an id above `id`, oldest first, at most `limit`. */
export function listAuditAfter(db: Queryable, filter: AuditFilter, id: number, limit: number): Promise<AuditEntry[]> {
  return db.query<AuditEntry>(`select ${columns} from audit_log where ${fits} and id > $5 order by id limit $6`, [
    ...filterParams(filter),
    id,
    limit
  ])
}
