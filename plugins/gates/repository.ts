import type { Queryable } from '#core'
import type { GateDecision } from './index.ts'

export async function insertDecision(db: Queryable, decision: GateDecision): Promise<void> {
  await db.query(
    `insert into gate_history (gate_name, subject_type, subject_id, decision, actor, reason)
     values ($1, $2, $3, $4, $5, $6)`,
    [decision.gate_name, decision.subject_type, decision.subject_id, decision.decision, decision.actor, decision.reason]
  )
}

/** A decision as it was recorded. */
export interface RecordedDecision extends GateDecision {
  at: string
}

export function listDecisions(db: Queryable, subject_type: string, subject_id: string): Promise<RecordedDecision[]> {
  return db.query<RecordedDecision>(
    `select at, gate_name, subject_type, subject_id, decision, actor, reason
     from gate_history where subject_type = $1 and subject_id = $2 order by id`,
    [subject_type, subject_id]
  )
}
