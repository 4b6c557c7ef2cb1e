import type { Queryable } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { Period } from '#time'

/** One row of the audit log. `details` depends on the event type. */
export interface AuditEntry {
  id: number
  at: string
  event_type: string
  actor: string
  details: Record<string, unknown>
}

/** Which rows: `since` counts from that moment on, `until` up to but not with it. */
interface AuditFilter extends Partial<Period> {
  event_type?: string | undefined
  actor?: string | undefined
}

const columns = 'id, at, event_type, actor, details'

const fits = `($1::text is null or event_type = $1) and ($2::text is null or actor = $2)
  and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`

const filterParams = ({ event_type, actor, since, until }: AuditFilter) => [
  event_type ?? null,
  actor ?? null,
  since ?? null,
  until ?? null
]

/** Newest first, with one row more than the page holds when there is one. */
export function listAudit(db: Queryable, filter: AuditFilter, page: PageRequest): Promise<AuditEntry[]> {
  const [at = null, id = null] = page.after ?? []
  return db.query<AuditEntry>(
    `select ${columns} from audit_log
     where ${fits} and ($5::timestamptz is null or (at, id) < ($5, $6::bigint))
     order by at desc, id desc limit $7 offset $8`,
    [...filterParams(filter), at, id === null ? null : Number(id), fetchLimit(page), page.offset]
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
