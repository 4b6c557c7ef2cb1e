import { type Queryable, service, type Tx } from '#core'

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
  /** Lets what is held pass. `id` is the held thing's full id; answers it in its REST shape. */
  approve(id: string, decision: { actor: string; reason: string | null }): Promise<object>
}

/** The sign-off every draft waits for, described by the plugin that runs it. */
export interface DefaultGate {
  countPending(db: Queryable): Promise<number>
  posture(): { auto_publish_threshold: number; require_human_approval: boolean }
}

/** A row of the gate history: who decided what, and why. */
export interface GateDecision {
  gate_name: string
  subject_type: 'task' | 'post'
  subject_id: string
  decision: 'held' | 'approved' | 'rejected' | 'auto_approved' | 'cleared'
  actor: string
  reason: string | null
}

/** The approval gates and the history of decisions at them. */
export interface Gates {
  define(gate: GateDefinition): void
  defineDefault(gate: DefaultGate): void
  isOn(gate_name: string): boolean
  /** Writes the decision into the transaction of the change it stands for. */
  record(tx: Tx, decision: GateDecision): Promise<void>
}
export const GatesService = service<Gates>('gates')
