import type { Queryable } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { GateDecision } from './index.ts'

/** A row of the gate history: that something was held, or what was decided. */
export interface HistoryRow extends Omit<GateDecision, 'decision'> {
  decision: GateDecision['decision'] | 'held'
}

/** Inserts in order: later rows have higher ids. */
export async function insertGateHistory(db: Queryable, rows: readonly HistoryRow[]): Promise<void> {
  await db.query(
    `insert into gate_history (gate_name, subject_type, subject_id, decision, actor, reason, content_hash)
     select gate_name, subject_type, subject_id, decision, actor, reason, content_hash
     from rows from (jsonb_to_recordset($1::jsonb) as (gate_name text, subject_type text, subject_id uuid, decision text,
       actor text, reason text, content_hash text)) with ordinality
     order by ordinality`,
    [JSON.stringify(rows)]
  )
}

/** A row of the gate history as it was written. */
export interface RecordedDecision extends HistoryRow {
  at: string
  content_hash: string | null
}

interface HistoryFilter {
  gate_name: string | null
  /** Only of these subjects; null: of every subject. */
  ids: readonly string[] | null
}

/** Ids in the range of anything that was ever held, in order; at most `limit`. */
export async function listSubjectIds(db: Queryable, first: string, last: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select distinct subject_id as id from gate_history where subject_id between $1 and $2 order by id limit $3',
    [first, last, limit]
  )
  return rows.map(({ id }) => id)
}

const filtered = `from gate_history where ($1::text is null or gate_name = $1) and ($2::uuid[] is null or subject_id = any($2))`

/** The gate history, newest first, with one row more than the page to show that there is more. */
export function listHistory(
  db: Queryable,
  { gate_name, ids }: HistoryFilter,
  page: PageRequest
): Promise<(RecordedDecision & { id: number })[]> {
  return db.query<RecordedDecision & { id: number }>(
    `select id, at, gate_name, subject_type, subject_id, decision, actor, reason, content_hash ${filtered}
       and ($5::bigint is null or id < $5)
     order by id desc limit $3 offset $4`,
    [gate_name, ids, fetchLimit(page), page.offset, page.after === null ? null : Number(page.after[0])]
  )
}

export async function countHistory(db: Queryable, { gate_name, ids }: HistoryFilter): Promise<number> {
  const [row] = await db.query<{ total: number }>(`select count(*) as total ${filtered}`, [gate_name, ids])
  return row?.total ?? 0
}

/** When, by whom and why each subject was last held at the gate. Subjects that never were are absent. */
export function listHolds(
  db: Queryable,
  gate_name: string,
  subject_ids: readonly string[]
): Promise<{ subject_id: string; at: string; actor: string; reason: string | null }[]> {
  return db.query(
    `select distinct on (subject_id) subject_id, at, actor, reason from gate_history
     where gate_name = $1 and decision = 'held' and subject_id = any($2::uuid[])
     order by subject_id, id desc`,
    [gate_name, subject_ids]
  )
}
