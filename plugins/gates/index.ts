import { event, type Queryable, service, type Tx } from '#core'

/** What waits at a gate, as the plugin that holds it describes it. */
export interface HeldSubject {
  /** What is held: `task`, `post`, or a plugin's own word. */
  subject_type: string
  /** Its full id (a UUID), which approving and rejecting take. */
  subject_id: string
  task_id: string | null
  post_id: string | null
  /** A topic's text, a draft's or a post's title. */
  title: string
  /** Of what is to be approved; null where it cannot change while it waits. */
  content_hash: string | null
  /** ISO 8601: the slot that was reached, or lost; null without one. */
  slot: string | null
}

/** Who decides, and why. With `content_hash` the decision holds for that content only. */
export interface GateAnswer {
  actor: string
  reason: string | null
  /** Of the content the decision is about; absent or null: whatever it is now. */
  content_hash?: string | null
}

/** A gate that an operator can switch on: what passes it waits for a decision. */
export interface GateDefinition {
  readonly gate_name: string
  readonly describe: string
  /** Where in the service it holds things, for listings. */
  readonly wired_into: string
  /** The plugin's own setting `pipeline_gate_<name>`, `on` or `off`. */
  readonly setting_key: `pipeline_gate_${string}`
  isOn(): boolean
  /** How many wait at it. */
  countPending(db: Queryable): Promise<number>
  /** The `limit` that wait longest, longest first. */
  listPending(db: Queryable, limit: number): Promise<HeldSubject[]>
  /**
   * Lets what is held pass; answers it in its REST shape. `id` is the whole `subject_id` of what waits here; of anything
   * else it is what the operator wrote.
   * @throws ConflictError when it does not wait, `CONTENT_CHANGED` when its content is not the answer's.
   */
  approve(id: string, answer: GateAnswer): Promise<object>
  /** Turns what is held down; as `approve`. */
  reject(id: string, answer: GateAnswer): Promise<object>
}

/** The sign-off every draft waits for, described by the plugin that runs it. */
export interface DefaultGate extends Pick<GateDefinition, 'countPending' | 'listPending' | 'approve'> {
  /** As a gate's own `reject`. @throws InputError without a reason */
  reject: GateDefinition['reject']
  posture(): { auto_publish_threshold: number; require_human_approval: boolean }
}

/** Who has something wait, and why where that needs saying. */
export interface HoldCause {
  actor: string
  reason: string | null
  /** It was told of, or approved, before: `reason` says what has changed. Default false. */
  waits_again?: boolean
}

/** The name of the default gate. */
export const defaultGateName = 'awaiting_approval'

/** A decision at a gate: who decided what, and why. `cleared`: it left the gate without one. */
export interface GateDecision {
  gate_name: string
  subject_type: string
  subject_id: string
  decision: 'approved' | 'rejected' | 'auto_approved' | 'cleared'
  actor: string
  reason: string | null
  /** Of what was decided on. */
  content_hash?: string | null
}

/** The approval gates and the history of decisions at them. */
export interface Gates {
  define(gate: GateDefinition): void
  defineDefault(gate: DefaultGate): void
  /** @throws NotFoundError for a gate that nobody defines. */
  isOn(gate_name: string): boolean
  /** Writes that something waits, or waits again, into the transaction that holds it, and tells so (`gate.held`). */
  hold(tx: Tx, gate_name: string, subject: HeldSubject, by: HoldCause): Promise<void>
  /** The same for many that one change holds at one gate. */
  holdMany(tx: Tx, gate_name: string, subjects: readonly HeldSubject[], by: HoldCause): Promise<void>
  /** Writes the decision into the transaction of the change it stands for, and tells so (`gate.decided`). */
  record(tx: Tx, decision: GateDecision): Promise<void>
  /** The same for many decisions, in their order. */
  recordMany(tx: Tx, decisions: readonly GateDecision[]): Promise<void>
  /** Lets what waits at the gate pass, through the plugin that holds it. @throws NotFoundError, ConflictError */
  approve(gate_name: string, id: string, answer: GateAnswer): Promise<object>
  /** Turns down what waits at the gate. @throws NotFoundError, ConflictError; InputError where a reason is required. */
  reject(gate_name: string, id: string, answer: GateAnswer): Promise<object>
  /** What waits at a gate, or (null) at all of them, longest first; at most 100 of each gate. */
  pending(gate_name: string | null): Promise<HeldItem[]>
  /** How many wait at a gate, or (null) at all of them. @throws NotFoundError */
  countPending(gate_name: string | null): Promise<number>
}
export const GatesService = service<Gates>('gates')

/** What `gate.held` tells: the subject, its gate, who caused it to wait, and why. */
export interface Held extends HeldSubject, Required<HoldCause> {
  gate_name: string
}
/** Something waits at a gate, or waits again because what was to be approved has changed. */
export const GateHeld = event<Held>('gate.held')
/** What waited at a gate was decided, or left it. */
export const GateDecided = event<GateDecision>('gate.decided')

/** What waits, as listings show it. */
export interface HeldItem extends Omit<Held, 'waits_again'> {
  held_at: string | null
}
