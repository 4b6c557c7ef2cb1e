import type { Emit } from '#core'
import { GateDecided, GateHeld, type Gates, type HeldSubject } from './index.ts'
import { type HistoryRow, insertGateHistory } from './repository.ts'

/** Writes what is held and decided into the gate history, and emits it, in the caller's transaction. */
type GateRecorder = Pick<Gates, 'hold' | 'holdMany' | 'record' | 'recordMany'>

export function createGateRecorder(emit: Emit): GateRecorder {
  const holdMany: Gates['holdMany'] = async (tx, gate_name, subjects, { actor, reason, waits_again = false }) => {
    if (subjects.length === 0) return
    await insertGateHistory(
      tx,
      subjects.map(subject => heldRow(gate_name, subject, actor, reason))
    )
    await emit(
      tx,
      GateHeld,
      subjects.map(subject => ({ gate_name, ...subject, actor, reason, waits_again }))
    )
  }
  const recordMany: Gates['recordMany'] = async (tx, decisions) => {
    if (decisions.length === 0) return
    await insertGateHistory(tx, decisions)
    await emit(tx, GateDecided, decisions)
  }
  return {
    hold: (tx, gate_name, subject, by) => holdMany(tx, gate_name, [subject], by),
    holdMany,
    record: (tx, decision) => recordMany(tx, [decision]),
    recordMany
  }
}

const heldRow = (
  gate_name: string,
  { subject_type, subject_id, content_hash }: HeldSubject,
  actor: string,
  reason: string | null
): HistoryRow => ({ gate_name, subject_type, subject_id, decision: 'held', actor, reason, content_hash })
