import { table } from '#cli'
import { command, type FieldErrors, type Terminal } from '#core'
import { slotOrders } from '#plugins/posts'
import type { ScheduleItem, ScheduleResult, WithWarnings } from '../results.ts'
import type { Schedule } from '../schedule.ts'
import { byForce } from '../slot-changes.ts'

const idOf = (describe: string) => ({ type: 'positional', describe }) as const
const anyPost = 'Id of the post or of its task, or 8 or more of its first characters'
const post_id = { ...idOf(anyPost), required: true } as const
const force = { type: 'boolean', describe: 'Also replace a slot that is given already' } as const
const forceAt = {
  type: 'boolean',
  describe: 'Also replace a slot that is given already; also for a near-duplicate, or without a niche'
} as const
const returns = '{ok, detail, items: [{post_id, slug, title, published_at, status}], count}'

export const scheduleCommands = (schedule: Schedule) => ({
  at: at(schedule),
  batch: batch(schedule),
  list: list(schedule),
  show: show(schedule),
  shift: shift(schedule),
  clear: clear(schedule),
  approve: approve(schedule),
  reject: reject(schedule),
  pending: pending(schedule),
  'show-pending': showPending(schedule),
  explain: explain(schedule)
})

const detailOf = ({ detail }: ScheduleResult): string => detail

function rowsOf({ detail, items }: ScheduleResult, terminal: Terminal): string {
  const cells = (item: ScheduleItem) => [
    item.published_at,
    item.post_id.slice(0, 8),
    item.status,
    item.slug,
    item.title
  ]
  const heading = [
    { heading: 'SLOT' },
    { heading: 'POST' },
    { heading: 'STATUS', dropOrder: 1 },
    { heading: 'SLUG', dropOrder: 2 },
    { heading: 'TITLE', isText: true }
  ]
  return items.length === 0 ? detail : `${table(heading, items.map(cells), terminal)}\n${detail}`
}

function warned<Result extends WithWarnings>(result: Result, terminal: Terminal): Result {
  for (const warning of result.warnings ?? []) terminal.note(`warning: ${warning}`)
  return result
}

const at = (schedule: Schedule) =>
  command({
    describe: 'Give an approved or waiting post its slot; that counts as its approval',
    returns: `${returns} with warnings, where there are any`,
    args: {
      post_id,
      when: idOf(
        'ISO 8601, now, "today 23:00", 9pm, "tomorrow 9am", "monday 9am", "next friday 14:00" or "in 2h", in operator_timezone'
      ),
      in: { type: 'string', describe: 'A duration from now instead: 30m, 2h, 1d, 1w, 1h30m', placeholder: 'DUR' },
      force: forceAt
    },
    validate: ({ when, in: duration }) => ({
      ...(when === undefined && duration === undefined ? { when: 'is required, or --in' } : {}),
      ...schedule.faults({ when, in: duration }),
      ...(when !== undefined && duration !== undefined
        ? { in: 'cannot be combined with <when>: give one of them' }
        : {})
    }),
    async run({ args, actor, terminal }) {
      const slot = { when: args.when, in: args.in }
      return warned(await schedule.at(args.post_id, slot, byForce({ actor }, args.force)), terminal)
    },
    text: detailOf
  })

const batch = (schedule: Schedule) =>
  command({
    describe: 'Give approved and waiting posts a slot each, in a row',
    returns: `${returns} with dry_run, skipped`,
    exitStatuses: { 1: 'refused, or no post is eligible' },
    args: {
      count: { type: 'integer', describe: 'Posts to schedule', required: true, minimum: 1, maximum: 10_000 },
      interval: {
        type: 'string',
        describe: 'Duration between two slots: 4h, 1d, 1w; days keep the time of day when the clocks change',
        required: true,
        placeholder: 'DUR'
      },
      start: {
        type: 'string',
        describe: 'First slot: ISO 8601, now, 9pm, "tomorrow 9am", "monday 9am", "next monday 14:00" or "in 2h"',
        required: true,
        placeholder: 'TIME'
      },
      'quiet-hours': {
        type: 'string',
        describe: 'Window without slots, or none; default: the setting publish_quiet_hours',
        placeholder: 'HH:MM-HH:MM'
      },
      'ordered-by': { type: 'string', describe: 'Which go first', options: slotOrders, default: 'approved_at' },
      force,
      'dry-run': { type: 'boolean', describe: 'Show the slots without giving them' }
    },
    validate: ({ interval, start, 'quiet-hours': quiet_hours }) => schedule.faults({ interval, start, quiet_hours }),
    run({ args, actor }) {
      const { count, interval, start } = args
      // The command line accepts no other.
      const ordered_by = slotOrders.find(name => name === args['ordered-by']) ?? 'approved_at'
      const request = { count, interval, start, quiet_hours: args['quiet-hours'], ordered_by }
      return schedule.batch({ ...request, replacesSlots: args.force, dry_run: args['dry-run'] }, { actor })
    },
    text: (answer, terminal) => {
      if (answer.ok) return rowsOf(answer, terminal)
      terminal.note(`error: ${answer.detail}`)
      return ''
    },
    exitStatus: ({ ok }) => (ok ? 0 : 1)
  })

const list = (schedule: Schedule) =>
  command({
    describe: 'Slots ahead, in their order',
    returns: `${returns} with total, limit, offset`,
    args: {
      all: { type: 'boolean', describe: 'Also slots that were reached, of published posts too' },
      limit: { type: 'integer', describe: 'Slots to show', default: 1000, minimum: 1, maximum: 10_000 },
      offset: { type: 'integer', describe: 'Slots to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const { next_cursor: _, ...page } = await schedule.list(args.all, {
        limit: args.limit,
        offset: args.offset,
        after: null
      })
      return page
    },
    text: rowsOf
  })

const show = (schedule: Schedule) =>
  command({
    describe: "One post's slot",
    returns: `${returns} with awaiting_gate, approved_at`,
    args: { post_id },
    run: ({ args }) => schedule.show(args.post_id),
    text: rowsOf
  })

const shift = (schedule: Schedule) =>
  command({
    describe: 'Move slots that are still ahead; refused when one would fall into the past',
    returns: `${returns} with warnings, where there are any`,
    args: {
      post_id: idOf(anyPost),
      all: { type: 'boolean', describe: 'Every slot ahead' },
      by: {
        type: 'string',
        describe: 'Duration to move by, -2h to earlier; days keep the time of day when the clocks change',
        required: true,
        placeholder: 'DUR'
      }
    },
    validate: ({ by, ...which }) => ({ ...oneOrAll(which), ...schedule.faults({ by }) }),
    run: async ({ args, actor, terminal }) =>
      warned(await schedule.shift(args.post_id ?? null, args.by, { actor }), terminal),
    text: rowsOf
  })

const clear = (schedule: Schedule) =>
  command({
    describe: 'Drop slots that are still ahead; the posts are approved again',
    returns,
    args: { post_id: idOf(anyPost), all: { type: 'boolean', describe: 'Every slot ahead' } },
    confirm: ({ args }) => (args.all ? { text: 'Drop every slot that is still ahead?' } : null),
    validate: oneOrAll,
    run: ({ args, actor }) => schedule.clear(args.post_id ?? null, { actor }),
    text: detailOf
  })

const approve = (schedule: Schedule) =>
  command({
    describe: 'Let a post that waits at final_publish_approval go out',
    returns,
    args: { post_id, reason: { type: 'string', describe: 'Why, for the gate history' } },
    run: ({ args, actor }) => schedule.approve(args.post_id, { actor, reason: args.reason ?? null }),
    text: detailOf
  })

const reject = (schedule: Schedule) =>
  command({
    describe: 'Send a post that waits at final_publish_approval back to draft, without a slot',
    returns,
    args: { post_id, reason: { type: 'string', describe: 'Why, for the history' } },
    run: ({ args, actor }) => schedule.reject(args.post_id, { actor, reason: args.reason ?? null }),
    text: detailOf
  })

const pending = (schedule: Schedule) =>
  command({
    describe: 'Posts that wait at final_publish_approval, the longest waiting first',
    returns,
    args: {},
    run: () => schedule.pending(),
    text: rowsOf
  })

const showPending = (schedule: Schedule) =>
  command({
    describe: 'One post that waits at final_publish_approval, with its text',
    returns: `${returns} with post, preview_url`,
    args: { post_id },
    run: ({ args }) => schedule.showPending(args.post_id),
    text: (result, terminal) => `${rowsOf(result, terminal)}\nPreview: ${result.preview_url}\n\n${result.post.content}`
  })

const explain = (schedule: Schedule) =>
  command({
    describe: 'Why a post is or is not going out, and when',
    returns: `${returns} with goes_out, goes_out_at, reason`,
    args: { post_id },
    run: ({ args }) => schedule.explain(args.post_id),
    text: detailOf
  })

/** A post's id, or all of them: never neither, and never both. */
function oneOrAll({ post_id: id, all }: { post_id?: string | undefined; all?: boolean | undefined }): FieldErrors {
  if (id === undefined && !all) return { post_id: 'is required, or --all' }
  return id !== undefined && all ? { all: 'cannot be combined with <post_id>: give one of them' } : {}
}
