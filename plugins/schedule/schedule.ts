import {
  ConflictError,
  type Db,
  type FieldErrors,
  NotFoundError,
  type Page,
  type PageRequest,
  showTime,
  toPage
} from '#core'
import type { DuePosts, Post, PostRef, PostSlots, PostStatus, Posts, SlotFacts } from '#plugins/posts'
import { type Explanation, explain } from './explain.ts'
import { publishGate } from './publish-gate.ts'
import { isQuiet, parseQuietHours, quietHoursForm } from './quiet-hours.ts'
import type { BatchRequest, SkippedPost, SlotChanges, SlotDecision } from './slot-changes.ts'
import { earliestClock, faultsOf, type ScheduleTexts, type SlotRequest } from './slot-input.ts'

/** A post as the schedule shows it. */
export interface ScheduleItem {
  post_id: string
  slug: string
  title: string
  published_at: string | null
  status: PostStatus
}

/** What every schedule command answers. `ok` is false when there was nothing to do what was asked with. */
export interface ScheduleAnswer {
  ok: boolean
  /** One sentence for people. */
  detail: string
  items: ScheduleItem[]
  count: number
}

/** Sentences about what was done as asked, and may not have been meant; absent where there is none. */
export interface Warned {
  warnings?: string[]
}

/** The publish slots. Ids may be prefixes of 8 or more characters. */
export interface Schedule {
  /** What is wrong with texts by themselves: as much as can be told without the database's clock and the operator's zone. */
  faults(texts: ScheduleTexts): FieldErrors
  at(id: string, slot: SlotRequest, by: SlotDecision & { force: boolean }): Promise<ScheduleAnswer & Warned>
  batch(request: BatchRequest, by: SlotDecision): Promise<ScheduleAnswer & { dry_run: boolean; skipped: SkippedPost[] }>
  /** Slots ahead in their order; with `all` also those reached. */
  list(all: boolean, page: PageRequest): Promise<ScheduleAnswer & Page<ScheduleItem>>
  show(id: string): Promise<ScheduleAnswer & { awaiting_gate: string | null; approved_at: string | null }>
  shift(id: string | null, duration: string, by: SlotDecision): Promise<ScheduleAnswer & Warned>
  clear(id: string | null, by: SlotDecision): Promise<ScheduleAnswer>
  approve(id: string, by: SlotDecision): Promise<ScheduleAnswer>
  reject(id: string, by: SlotDecision): Promise<ScheduleAnswer>
  /** Posts that wait at the publish gate. */
  pending(): Promise<ScheduleAnswer>
  /** One of them, with its text. @throws ConflictError when it does not wait there */
  showPending(id: string): Promise<ScheduleAnswer & { post: Post; preview_url: string }>
  explain(id: string): Promise<ScheduleAnswer & Explanation>
}

export interface ScheduleDeps {
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
  const { db, posts, slots, changes } = deps
  const show = (at: string | null | undefined) => (at == null ? 'no slot' : showTime(at, deps.timeZone()))
  const warned = (given: ScheduleAnswer, rows: readonly PostRef[]): ScheduleAnswer & Warned => {
    const warnings = quietWarnings(rows, deps.quietHours(), deps.timeZone())
    return warnings.length === 0 ? given : { ...given, warnings }
  }
  const read = (post_id: string) => findPost(slots, db, post_id)
  const find = async (id: string) => read(await posts.resolve(db, id))
  const explained = (post: SlotFacts) => explain(post, { isGateOn: deps.isGateOn(), timeZone: deps.timeZone() })
  const decided = async (post_id: string, detail: (post: SlotFacts) => string) => {
    const post = await read(post_id)
    return answer(detail(post), [post])
  }
  return {
    faults: texts => faultsOf(texts, earliestClock(deps.now())),
    async at(id, slot, by) {
      const post = await changes.at(id, slot, by)
      return warned(answer(`${post.slug} goes out at ${show(post.published_at)}.`, [post]), [post])
    },
    async batch(request, by) {
      const { rows, skipped } = await changes.batch(request, by)
      const detail = `${batchDetail(rows, request, show)}${skippedDetail(skipped)}`
      return { ...answer(detail, rows, rows.length > 0), dry_run: request.dry_run, skipped }
    },
    async list(all, page) {
      const { rows, total } = await slots.list(db, all, page)
      const { items, ...rest } = toPage(rows, page, total, row => [row.sorted_at, row.post_id])
      const detail = listDetail(items.length, total, all)
      return { ...answer(detail, items), ...rest }
    },
    async show(id) {
      const post = await find(id)
      return {
        ...answer(explained(post).reason, [post]),
        awaiting_gate: post.awaiting_gate,
        approved_at: post.approved_at
      }
    },
    async shift(id, duration, by) {
      const rows = await changes.shift(id, duration, by)
      const detail =
        rows.length === 0
          ? 'No slot is ahead: nothing was moved.'
          : `Moved ${rows.length} by ${duration}; first: ${show(rows[0]?.published_at)}.`
      return warned(answer(detail, rows), rows)
    },
    async clear(id, by) {
      const rows = await changes.clear(id, by)
      const detail =
        rows.length === 0
          ? 'No slot is ahead: nothing was cleared.'
          : `Cleared ${rows.length}: approved, without a slot.`
      return answer(detail, rows)
    },
    approve: async (id, by) =>
      decided(await changes.approve(id, by), post => `${post.slug} passed ${publishGate} and is ${post.status}.`),
    reject: async (id, by) =>
      decided(await changes.reject(id, by), post => `${post.slug} was rejected and is ${post.status}, without a slot.`),
    async pending() {
      const rows = await deps.due.listHeld(db, publishGate, null)
      return answer(
        rows.length === 0 ? `No post waits at ${publishGate}.` : `${rows.length} waiting at ${publishGate}.`,
        rows
      )
    },
    async showPending(id) {
      const slot = await find(id)
      const post = await posts.read(db, slot.post_id)
      if (slot.awaiting_gate !== publishGate || post === undefined) throw notHeld(slot)
      const detail = `${slot.slug} waits at ${publishGate}; its slot was ${show(slot.published_at)}.`
      return {
        ...answer(detail, [slot]),
        post,
        preview_url: await posts.previewUrl(slot.post_id)
      }
    },
    async explain(id) {
      const post = await find(id)
      const explanation = explained(post)
      return { ...answer(explanation.reason, [post]), ...explanation }
    }
  }
}

function answer(detail: string, rows: readonly PostRef[], ok = true): ScheduleAnswer {
  const items = rows.map(({ post_id, slug, title, published_at, status }) => {
    const item: ScheduleItem = { post_id, slug, title, published_at, status }
    return item
  })
  return { ok, detail, items, count: items.length }
}

/** Quiet hours bind batches only: a person who names a time may have one in them, and is told so. */
function quietWarnings(rows: readonly PostRef[], setting: string, timeZone: string): string[] {
  if (setting === '') return []
  const quiet = parseQuietHours(setting)
  if (quiet === null) return [`The setting publish_quiet_hours is not ${quietHoursForm}: set it anew.`]
  const inside = rows.flatMap(({ slug, published_at: at }) =>
    at !== null && isQuiet(Date.parse(at), quiet, timeZone) ? [{ slug, at }] : []
  )
  const [first] = inside
  if (first === undefined) return []
  const which = `that of ${first.slug} at ${showTime(first.at, timeZone)}`
  const lie = inside.length === 1 ? `A slot lies in the quiet hours ${setting}: ${which}.` : undefined
  return [lie ?? `${inside.length} slots lie in the quiet hours ${setting}, the first is ${which}.`]
}

function listDetail(shown: number, total: number, all: boolean): string {
  if (total === 0) return `No slot ${all ? 'is given' : 'is ahead'}: "schedule at" or "schedule batch" gives one.`
  return `${total} ${total === 1 ? 'slot' : 'slots'}${all ? '' : ' ahead'}${shown < total ? `, ${shown} shown` : ''}.`
}

function batchDetail(
  rows: readonly PostRef[],
  { count, dry_run, force }: BatchRequest,
  show: (at: string | null | undefined) => string
): string {
  if (rows.length === 0) {
    const more = force ? '' : ' or --force to take posts that have a slot'
    return `No post is eligible: approved or awaiting_approval and without a slot. Approve some${more}.`
  }
  const done = dry_run ? 'Would schedule' : 'Scheduled'
  const fewer = rows.length < count ? ` of ${count}: no more are eligible` : ''
  return `${done} ${rows.length}${fewer}, from ${show(rows[0]?.published_at)} to ${show(rows.at(-1)?.published_at)}.`
}

function skippedDetail(skipped: readonly SkippedPost[]): string {
  const [first] = skipped
  if (first === undefined) return ''
  return ` Skipped ${skipped.length}, first ${first.slug}: ${first.reason}.`
}

async function findPost(slots: Pick<PostSlots, 'find'>, db: Db, post_id: string): Promise<SlotFacts> {
  const post = await slots.find(db, post_id)
  if (post === undefined) throw new NotFoundError(`There is no post ${post_id}: see "posts list".`)
  return post
}

const notHeld = ({ post_id, status }: SlotFacts) =>
  new ConflictError(
    `Post ${post_id} (${status}) does not wait at ${publishGate}: "schedule pending" lists those that do.`
  )
