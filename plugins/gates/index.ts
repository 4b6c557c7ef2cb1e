import { event, type Queryable, service, type Tx } from '#core'
import type { IdRange } from '#lists'

/** A held task, post or other subject, as its plugin describes it. */
export interface HeldSubject {
  /** `task`, `post`, or a plugin's own word. */
  subject_type: string
  /** Its full id (a UUID), for approving and rejecting. */
  subject_id: string
  task_id: string | null
  post_id: string | null
  /** A topic's text, a draft's or a post's title. */
  title: string
  /** Hash of the content to be approved; null when it cannot change while it waits. */
  content_hash: string | null
  /** The slot that was reached or dropped, ISO 8601; null without one. */
  slot: string | null
}

/** Who decides, why, and on which content. */
export interface DecisionBy {
  actor: string
  reason: string | null
  /** The decision is only for this content; absent or null: for the current content. */
  content_hash?: string | null
  /** Approves also what a check refuses, such as a draft that nearly repeats another. Default false. */
  skipsChecks?: boolean
}

/** What messages and chat commands call what waits at a gate. */
export interface GateLabels {
  /** One lower-case word for it: with `topic` the chat commands are `/approve_topic` and `/reject_topic`. */
  readonly noun: string
  /** How its message begins: `A topic waits for a decision`. */
  readonly title: string
  /** What the chat's `/help` calls it: `a proposed topic`. */
  readonly describe: string
  /** What the reason of a rejection has to say, where one is required: `what should change`. */
  readonly requiredReason?: string
  /** The line of the command line that decides on a subject; null for `galley gates …`. */
  commandLine?(verb: 'approve' | 'reject', subject: Pick<HeldSubject, 'subject_type' | 'subject_id'>): string | null
}

/** Where the operator reads what waits, and readers what was approved. Registered by the plugin that owns the posts. */
export interface PostLinks {
  /** The address of a post's preview. */
  preview(post_id: string): Promise<string>
  /** The address readers find it at; null while it is not public. */
  published(post_id: string): Promise<string | null>
}

/** A gate that an operator can switch on. Then everything that reaches it waits for a decision. */
export interface GateDefinition {
  readonly gate_name: string
  readonly describe: string
  /** Where in the service it holds things, for lists. */
  readonly wired_into: string
  /** The plugin's own setting `pipeline_gate_<name>`, `on` or `off`. */
  readonly setting_key: `pipeline_gate_${string}`
  /** Absent: messages use the gate's name and the commands of `gates`. */
  readonly labels?: GateLabels
  isOn(): boolean
  /** How many wait at it. */
  countPending(db: Queryable): Promise<number>
  /** The `limit` that wait longest, longest first; with `ids` only those whose subject, task or post has an id in that range. */
  listPending(db: Queryable, limit: number, ids?: IdRange): Promise<HeldSubject[]>
  /**
   * Approves the held subject and returns it in its REST shape. `id` is the full `subject_id` if the subject waits here,
   * otherwise what the operator wrote.
   * @throws ConflictError when it does not wait, `CONTENT_CHANGED` when its content differs from the decision's hash
   */
  approve(id: string, by: DecisionBy): Promise<object>
  /** Rejects the held subject; otherwise like `approve`. */
  reject(id: string, by: DecisionBy): Promise<object>
}

/** The default gate, which every draft waits at, described by its plugin. */
export interface DefaultGate extends Pick<GateDefinition, 'labels' | 'countPending' | 'listPending' | 'approve'> {
  /** Like `reject` of other gates. @throws InputError without a reason */
  reject: GateDefinition['reject']
  autoPublish(): { auto_publish_threshold: number; require_human_approval: boolean }
}

/** Who holds something, and why. */
export interface HoldCause {
  actor: string
  reason: string | null
  /** It waited or was approved before: `reason` says what has changed. Default false. */
  waits_again?: boolean
}

/** The name of the default gate. */
export const defaultGateName = 'awaiting_approval'

/** A decision at a gate: who decided what, and why. `cleared` means that it left the gate without a decision. */
export interface GateDecision {
  gate_name: string
  subject_type: string
  subject_id: string
  decision: 'approved' | 'rejected' | 'auto_approved' | 'cleared'
  actor: string
  reason: string | null
  /** Hash of the content that was decided on. */
  content_hash?: string | null
}

/** The ids under which something can wait, from the plugin that owns them. */
export interface SubjectIds {
  /** At most `limit` from `first` to `last`, in order. */
  list(db: Queryable, first: string, last: string, limit: number): Promise<string[]>
  /** The other ids under which the same thing waits, such as the task of a post. */
  listRelated?(db: Queryable, id: string): Promise<string[]>
}

/** The approval gates and the history of decisions at them. */
export interface Gates {
  /** Adds a gate. Register in `setup`. */
  registerGate(gate: GateDefinition): void
  /** Has the history found by these ids and their prefixes, too. Register in `setup`. */
  registerSubjectIds(ids: SubjectIds): void
  /** Defines the gate that every draft waits at. Register in `setup`. */
  registerDefaultGate(gate: DefaultGate): void
  /** Adds links to the messages about held posts. Register in `setup`. */
  registerPostLinks(links: PostLinks): void
  /** @throws NotFoundError when no plugin defines the gate */
  isOn(gate_name: string): boolean
  /** Records in the caller's transaction that something waits, and emits `gate.held`. */
  hold(tx: Tx, gate_name: string, subject: HeldSubject, by: HoldCause): Promise<void>
  /** The same for many subjects at one gate. */
  holdMany(tx: Tx, gate_name: string, subjects: readonly HeldSubject[], by: HoldCause): Promise<void>
  /** Records the decision in the caller's transaction, and emits `gate.decided`. */
  record(tx: Tx, decision: GateDecision): Promise<void>
  /** The same for many decisions, in order. */
  recordMany(tx: Tx, decisions: readonly GateDecision[]): Promise<void>
  /** Approves through the plugin that holds it. @throws NotFoundError, ConflictError */
  approve(gate_name: string, id: string, by: DecisionBy): Promise<object>
  /** Rejects through the plugin that holds it. @throws NotFoundError, ConflictError; InputError where a reason is required */
  reject(gate_name: string, id: string, by: DecisionBy): Promise<object>
  /** What waits at the gate (null: at all gates), longest first; at most 100 of each gate. */
  pending(gate_name: string | null): Promise<HeldItem[]>
  /** How many wait at the gate (null: at all gates). @throws NotFoundError */
  countPending(gate_name: string | null): Promise<number>
}
export const GatesService = service<Gates>('gates')

/** The payload of `gate.held`. */
export interface Held extends HeldSubject, Required<HoldCause> {
  gate_name: string
}
/** Something waits at a gate, or waits again because its content changed. */
export const GateHeld = event<Held>('gate.held')
/** Something was decided at a gate, or left it. */
export const GateDecided = event<GateDecision>('gate.decided')

/** A held subject, as lists show it. */
export interface HeldItem extends Omit<Held, 'waits_again'> {
  held_at: string | null
}
