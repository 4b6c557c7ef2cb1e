import type { Announce } from './contract/slots.ts'
import type { RowUpdate, StateRow } from './repository/state-changes.ts'
import type { PostAction } from './states.ts'

/** A transition of a locked post that is to be applied. `post`: as it is before. */
export interface PlannedTransition {
  post: StateRow & { awaiting_gate?: string | null }
  action: PostAction
  /** Of a move to a slot: ISO 8601. */
  slot?: string
  /** What happens to the row beside its status; default: that of the action. */
  update?: RowUpdate
  /** The detail of its history row; default: the reason. */
  detail?: Record<string, unknown>
}

/** How transitions are applied, beside who decides. */
export interface TransitionOptions {
  /** Of `hold`: where they wait. */
  gate_name?: string
  /** Of what becomes public; default: at once. */
  announce?: Announce | undefined
}

/** A transition that was applied. `row`: the post after it. */
export interface AppliedTransition extends PlannedTransition {
  row: StateRow
}
