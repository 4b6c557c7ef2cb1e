import { service } from '#core'

/** A path that reads differently, with the tags of what is shown there. */
export interface ChangedPath {
  /** On the website, such as `/posts/tides`. */
  path: string
  /** Such as `posts` and `post:tides`. */
  tags: readonly string[]
}

/** What reads differently after a change. */
export interface PublicChange {
  paths: readonly ChangedPath[]
  /** Paths of feeds on this service. */
  feeds: readonly string[]
  /** Cache tags of this service's own public answers. */
  cacheTags: readonly string[]
}

/** One thing to notify a target of: a path or a tag. A second change of it joins the first one while that waits. */
export interface RevalidationItem {
  key: string
  tags: readonly string[]
}

/** What is notified of changes: a front end, a CDN, a hub. Register it in `setup`. */
export interface RevalidationTarget {
  /** One word or several with hyphens, such as `front-end`. */
  readonly name: string
  /** Items in one request. */
  readonly maxItems: number
  isSetUp(): boolean
  /** Why it cannot be notified though it is set up, in a sentence; null when it can. */
  fault(): string | null
  /** The items of a change that this target is notified of; may be empty. */
  itemsOf(change: PublicChange): readonly RevalidationItem[]
  /**
   * Notifies it once, within 10 s. It may get the same again.
   * @returns the status it answered. @throws TargetError
   */
  send(items: readonly RevalidationItem[], signal: AbortSignal): Promise<number>
}

export { TargetError } from './target-error.ts'

/** How it stands with a target. Times are ISO 8601; null: never. */
export interface TargetStatus {
  target: string
  is_set_up: boolean
  /** Items that wait, the parked ones not counted. */
  waiting: number
  /** Items given up after a day, until the target answers again or somebody retries them. */
  parked: number
  waits_since: string | null
  /** Requests without success, in a row. */
  failures: number
  /** Of the last request; null when there was no answer. */
  last_status: number | null
  last_error: string | null
  last_sent_at: string | null
  last_success_at: string | null
}

/** Tells others that public pages changed. */
export interface Revalidation {
  /** @throws TypeError for a name that is taken */
  registerTarget(target: RevalidationTarget): void
  statuses(): Promise<TargetStatus[]>
}
export const RevalidationService = service<Revalidation>('revalidation')
