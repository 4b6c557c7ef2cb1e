import type { StateChange, StateRow } from './repository/state-changes.ts'
import type { Announce } from './slot-services.ts'
import type { PostAction } from './states.ts'

/** A change of a locked post that is to be made: the post as it is before, and what moves it. */
export interface PostChange {
  post: StateRow & { awaiting_gate?: string | null }
  action: PostAction
  /** Of a move to a slot: ISO 8601. */
  slot?: string
  /** What happens to the row; default: what the action says. */
  change?: StateChange
  /** What its history row tells; default: the reason. */
  detail?: Record<string, unknown>
}

/** How posts are changed, beside who decides. */
export interface ChangeOptions {
  /** Of `hold`: where they wait. */
  gate_name?: string
  /** Of what becomes public; default: at once. */
  announce?: Announce | undefined
}

/** A change that was made: the row before and after. */
export interface MadeChange extends PostChange {
  row: StateRow
}
