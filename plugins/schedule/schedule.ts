import { ConflictError, type Db, type FieldErrors, NotFoundError } from '#core'
import { type Page, type PageRequest, toPage } from '#lists'
import type { DuePosts, Post, PostDecision, PostRef, PostSlots, Posts, SlotFacts } from '#plugins/posts'
import { formatInstant } from '#time'
import type { BatchRequest, SkippedPost } from './batch.ts'
import { type Explanation, explain } from './explain.ts'
import {
  batchDetail,
  listDetail,
  quietWarnings,
  type ScheduleItem,
  type ScheduleResult,
  scheduleResult,
  skippedDetail,
  type WithWarnings
} from './results.ts'
import { publishGateName } from './settings.ts'
import type { SlotChanges } from './slot-changes.ts'
import { earliestClock, faultsOf, type ScheduleTexts, type SlotRequest } from './slot-input.ts'

/** The publish slots, as commands and routes return them. Ids may be prefixes of 8 or more characters. */
export interface Schedule {
  /** What is wrong with texts by themselves: as much as can be known without the database's clock and the operator's zone. */
  faults(texts: ScheduleTexts): FieldErrors
  at(id: string, slot: SlotRequest, by: PostDecision): Promise<ScheduleResult & WithWarnings>
  batch(request: BatchRequest, by: PostDecision): Promise<ScheduleResult & { dry_run: boolean; skipped: SkippedPost[] }>
  /** Slots ahead in their order; with `all` also those reached. */
  list(all: boolean, page: PageRequest): Promise<ScheduleResult & Page<ScheduleItem>>
  show(id: string): Promise<ScheduleResult & { awaiting_gate: string | null; approved_at: string | null }>
  shift(id: string | null, duration: string, by: PostDecision): Promise<ScheduleResult & WithWarnings>
  clear(id: string | null, by: PostDecision): Promise<ScheduleResult>
  approve(id: string, by: PostDecision): Promise<ScheduleResult>
  reject(id: string, by: PostDecision): Promise<ScheduleResult>
  /** Posts that wait at the publish gate. */
  pending(): Promise<ScheduleResult>
  /** One of them, with its text. @throws ConflictError when it does not wait there */
  showPending(id: string): Promise<ScheduleResult & { post: Post; preview_url: string }>
  explain(id: string): Promise<ScheduleResult & Explanation>
}

interface ScheduleDeps {
  db: Db
  posts: Pick<Posts, 'resolve' | 'read' | 'previewUrl'>
  slots: Pick<PostSlots, 'find' | 'list'>
  due: Pick<DuePosts, 'listHeld'>
  changes: SlotChanges
  timeZone(): string
  /** The setting's text as it is stored. */
  quietHours(): string
  isGateOn(): boolean
  now(): Date
}

export function createSchedule(deps: ScheduleDeps): Schedule {
  return {
    faults: texts => faultsOf(texts, earliestClock(deps.now())),
    ...slotResults(deps),
    ...readResults(deps),
    ...gateResults(deps)
  }
}

/** Slots that are given, moved and dropped. */
function slotResults(deps: ScheduleDeps): Pick<Schedule, 'at' | 'batch' | 'shift' | 'clear'> {
  const { changes } = deps
  const show = (at: string | null | undefined) => shownSlot(deps, at)
  const withWarnings = (result: ScheduleResult, rows: readonly PostRef[]): ScheduleResult & WithWarnings => {
    const warnings = quietWarnings(rows, deps.quietHours(), deps.timeZone())
    return warnings.length === 0 ? result : { ...result, warnings }
  }
  return {
    async at(id, slot, by) {
      const post = await changes.at(id, slot, by)
      const shown = show(post.published_at)
      const detail = deps.isGateOn()
        ? `${post.slug} has the slot ${shown}: ${publishGateName}, which is on, holds it then until "schedule approve".`
        : `${post.slug} goes out at ${shown}.`
      return withWarnings(scheduleResult(detail, [post]), [post])
    },
    async batch(request, by) {
      const { rows, skipped } = await changes.batch(request, by)
      const detail = `${batchDetail(rows, request, show)}${skippedDetail(skipped)}`
      return { ...scheduleResult(detail, rows, rows.length > 0), dry_run: request.dry_run, skipped }
    },
    async shift(id, duration, by) {
      const rows = await changes.shift(id, duration, by)
      const detail =
        rows.length === 0
          ? 'No slot is ahead: nothing was moved.'
          : `Moved ${rows.length} by ${duration}; first: ${show(rows[0]?.published_at)}.`
      return withWarnings(scheduleResult(detail, rows), rows)
    },
    async clear(id, by) {
      const rows = await changes.clear(id, by)
      const done = `Cleared ${rows.length}: approved, without a slot.`
      return scheduleResult(rows.length === 0 ? 'No slot is ahead: nothing was cleared.' : done, rows)
    }
  }
}

/** What there is, and why. */
function readResults(deps: ScheduleDeps): Pick<Schedule, 'list' | 'show' | 'explain'> {
  const explained = (post: SlotFacts) => explain(post, { isGateOn: deps.isGateOn(), timeZone: deps.timeZone() })
  return {
    async list(all, page) {
      const { rows, total } = await deps.slots.list(deps.db, all, page)
      const { items, ...rest } = toPage(rows, page, total, row => [row.sorted_at, row.post_id])
      const detail = listDetail(items.length, total, all)
      return { ...scheduleResult(detail, items), ...rest }
    },
    async show(id) {
      const post = await findPost(deps, id)
      const { awaiting_gate, approved_at } = post
      return { ...scheduleResult(explained(post).reason, [post]), awaiting_gate, approved_at }
    },
    async explain(id) {
      const post = await findPost(deps, id)
      const explanation = explained(post)
      return { ...scheduleResult(explanation.reason, [post]), ...explanation }
    }
  }
}

/** What waits at the publish gate, and what is decided there. */
function gateResults(deps: ScheduleDeps): Pick<Schedule, 'approve' | 'reject' | 'pending' | 'showPending'> {
  const { db, posts, changes } = deps
  return {
    async approve(id, by) {
      const post = await readSlotFacts(deps, await changes.approve(id, by))
      return scheduleResult(`${post.slug} passed ${publishGateName} and is ${post.status}.`, [post])
    },
    async reject(id, by) {
      const post = await readSlotFacts(deps, await changes.reject(id, by))
      return scheduleResult(`${post.slug} was rejected and is ${post.status}, without a slot.`, [post])
    },
    async pending() {
      const rows = await deps.due.listHeld(db, publishGateName, null)
      const waiting = `${rows.length} waiting at ${publishGateName}.`
      return scheduleResult(rows.length === 0 ? `No post waits at ${publishGateName}.` : waiting, rows)
    },
    async showPending(id) {
      const slot = await findPost(deps, id)
      const post = await posts.read(db, slot.post_id)
      if (slot.awaiting_gate !== publishGateName || post === undefined) throw notHeld(slot)
      const detail = `${slot.slug} waits at ${publishGateName}; its slot was ${shownSlot(deps, slot.published_at)}.`
      return { ...scheduleResult(detail, [slot]), post, preview_url: await posts.previewUrl(slot.post_id) }
    }
  }
}

const shownSlot = ({ timeZone }: ScheduleDeps, at: string | null | undefined): string =>
  at == null ? 'no slot' : formatInstant(at, timeZone())

const findPost = async (deps: ScheduleDeps, id: string): Promise<SlotFacts> =>
  readSlotFacts(deps, await deps.posts.resolve(deps.db, id))

async function readSlotFacts({ slots, db }: ScheduleDeps, post_id: string): Promise<SlotFacts> {
  const post = await slots.find(db, post_id)
  if (post === undefined) throw new NotFoundError(`There is no post ${post_id}: see "posts list".`)
  return post
}

const notHeld = ({ post_id, status }: SlotFacts) =>
  new ConflictError(
    `Post ${post_id} (${status}) does not wait at ${publishGateName}: "schedule pending" lists those that do.`
  )
