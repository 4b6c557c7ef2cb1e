/** What the pipeline is built from: writers, critics and rails. All three are ports, filled through `Tasks.register…`. */

import type { MeteredDriver } from '#plugins/costs'

/** A text the writer may draw on. `source_id` is unique in memory; `title` is the text's own heading or a label. */
export interface Source {
  source_id: string
  title: string
  text: string
  /** Where a reader can check it; null when the source has no address. */
  url: string | null
}

/** What is to be written. */
export interface Assignment {
  topic: string
  category: string | null
  tags: readonly string[]
  primary_keyword: string | null
  /** Words wanted, 200–5000. */
  target_length: number
  style: string
  tone: string
  target_audience: string | null
  /** The operator's words on the previous draft; null on the first attempt. */
  feedback: string | null
  /**
   * The draft that `feedback` is about, or that was rejected or edited without any. `isEdited`: a person has changed it since it was
   * written, or since the feedback. Default false.
   */
  previous: { title: string; content: string; isEdited?: boolean } | null
  /** Texts from memory that match the topic, best first; may be empty. */
  sources: readonly Source[]
  /** False where the plugin memory does not run, so that nobody can store a text. Default true. */
  hasMemory?: boolean
}

/** A finished text. `content` is markdown without the title's own H1. */
export interface Draft {
  title: string
  excerpt: string
  content: string
  /** `source_id`s actually drawn on. */
  source_ids: readonly string[]
  /** Name of the writer or model that wrote it. */
  model: string
  /** True when its sentences only repeat what sources say: each is then held against them. Default false. */
  isExtractive?: boolean
}

/**
 * Turns an assignment into a draft. May be called again for the same assignment after a crash.
 * @throws UnavailableError when trying again later may succeed: the task waits, says so, and the writer is asked again;
 *   any other error ends in the task's `failed` once retries are used up.
 */
export interface Writer extends MeteredDriver {
  /** Its work counts as a request to the model of this name. */
  readonly name: string
  /** How often it is asked again after an UnavailableError; default 5. */
  readonly maxRetries?: number
  write(assignment: Assignment, signal: AbortSignal): Promise<Draft>
}

/** What a rail found: `score` 0–100 and a note a person can act on; `null` when it could not run (never a pass). */
export type RailFinding = { score: number; note: string } | null

/** Judges a draft against its assignment, independent of who wrote it. Its finding is that of the rail `critic`. */
export interface Critic extends MeteredDriver {
  readonly name: string
  judge(assignment: Assignment, draft: Draft, signal: AbortSignal): Promise<RailFinding>
}

/** What a rail may look at beside the draft. */
export interface RailContext {
  /** The setting `qa_rail_<name>_threshold`, 0–100: a score below it fails the rail. */
  threshold: number
  /** Phrases of the setting `qa_banned_phrases`. */
  bannedPhrases: readonly string[]
  signal: AbortSignal
}

/** One quality check. Settings `qa_rail_<name>` (`required`, `advisory` or `off`) and `qa_rail_<name>_threshold` steer it. */
export interface Rail {
  readonly name: string
  readonly describe: string
  /** Defaults of its settings. */
  readonly mode: 'required' | 'advisory'
  readonly threshold: number
  /** Share in the weighted mean. */
  readonly weight: number
  check(draft: Draft, assignment: Assignment, context: RailContext): Promise<RailFinding> | RailFinding
}

/** A rail of this service: its check is synchronous and needs only the draft and the assignment, so it runs in a child process with limits. */
export interface BuiltInRail extends Rail {
  check(draft: Draft, assignment: Assignment, context: RailContext): RailFinding
}
