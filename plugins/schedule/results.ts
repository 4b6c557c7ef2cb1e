import type { PostRef, PostStatus, SlottedPost } from '#plugins/posts'
import { formatInstant } from '#time'
import type { BatchRequest, SkippedPost } from './batch.ts'
import { isQuiet, parseQuietHours, quietHoursForm } from './quiet-hours.ts'

/** A post as the schedule shows it. */
export interface ScheduleItem {
  post_id: string
  slug: string
  title: string
  published_at: string | null
  status: PostStatus
}

/** What every schedule command returns. `ok` is false when no post was eligible. */
export interface ScheduleResult {
  ok: boolean
  /** One sentence for people. */
  detail: string
  items: ScheduleItem[]
  count: number
}

/** Sentences about what was done as asked, and may not have been meant; absent where there is none. */
export interface WithWarnings {
  warnings?: string[]
}

/** The result of a command: one sentence, and the posts it is about. */
export function scheduleResult(detail: string, rows: readonly PostRef[], ok = true): ScheduleResult {
  const items = rows.map(({ post_id, slug, title, published_at, status }) => {
    const item: ScheduleItem = { post_id, slug, title, published_at, status }
    return item
  })
  return { ok, detail, items, count: items.length }
}

/** Quiet hours bind batches only: a person who names a time may have one in them, with a warning. */
export function quietWarnings(rows: readonly SlottedPost[], setting: string, timeZone: string): string[] {
  if (setting === '') return []
  const quiet = parseQuietHours(setting)
  if (quiet === null) return [`The setting publish_quiet_hours is not ${quietHoursForm}: set it anew.`]
  const inside = rows.flatMap(({ slug, published_at: at }) =>
    at !== null && isQuiet(Date.parse(at), quiet, timeZone) ? [{ slug, at }] : []
  )
  const [first] = inside
  if (first === undefined) return []
  const which = `that of ${first.slug} at ${formatInstant(first.at, timeZone)}`
  const sentence = inside.length === 1 ? `A slot lies in the quiet hours ${setting}: ${which}.` : undefined
  return [sentence ?? `${inside.length} slots lie in the quiet hours ${setting}, the first is ${which}.`]
}

export function listDetail(shown: number, total: number, all: boolean): string {
  if (total === 0) return `No slot ${all ? 'is given' : 'is ahead'}: "schedule at" or "schedule batch" gives one.`
  return `${total} ${total === 1 ? 'slot' : 'slots'}${all ? '' : ' ahead'}${shown < total ? `, ${shown} shown` : ''}.`
}

/** What a batch did, or would do; `show` writes a time for people. */
export function batchDetail(
  rows: readonly PostRef[],
  { count, dry_run, replacesSlots }: BatchRequest,
  show: (at: string | null | undefined) => string
): string {
  if (rows.length === 0) {
    const more = replacesSlots ? '' : ' or --force to take posts that have a slot'
    return `No post is eligible: approved or awaiting_approval and without a slot. Approve some${more}.`
  }
  const done = dry_run ? 'Would schedule' : 'Scheduled'
  const fewer = rows.length < count ? ` of ${count}: no more are eligible` : ''
  return `${done} ${rows.length}${fewer}, from ${show(rows[0]?.published_at)} to ${show(rows.at(-1)?.published_at)}.`
}

export function skippedDetail(skipped: readonly SkippedPost[]): string {
  const [first] = skipped
  if (first === undefined) return ''
  return ` Skipped ${skipped.length}, first ${first.slug}: ${first.reason}.`
}
