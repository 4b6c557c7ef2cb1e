import { Type } from '#core'
import { pageOf, pageParameters } from '#lists'
import { postStatuses, slotOrders } from '#plugins/posts'

const strict = { additionalProperties: false }
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))

const ScheduleItem = Type.Object(
  {
    post_id: Type.String({ format: 'uuid' }),
    slug: Type.String({ examples: ['how-tides-follow-the-moon'] }),
    title: Type.String({ examples: ['How tides follow the moon'] }),
    published_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The slot.',
      examples: ['2027-01-31T09:00:00.000Z']
    }),
    status: Type.Enum([...postStatuses], { examples: ['scheduled'] })
  },
  { title: 'ScheduledPost' }
)
const answerFields = {
  ok: Type.Boolean(),
  detail: Type.String({ description: 'One sentence for people.', examples: ['1 post has a slot.'] }),
  items: Type.Array(ScheduleItem),
  count: Type.Integer({ description: 'Items in this answer.', examples: [1] })
}

export const ScheduleQuery = Type.Object(
  {
    all: Type.Optional(Type.Boolean({ default: false, description: 'Also slots that were reached.' })),
    ...pageParameters
  },
  strict
)
export const SchedulePage = Type.Object({ ...pageOf(ScheduleItem).properties, ...answerFields })

/** One post's slot (`post_id` with `when` or `in`) or a batch (`count`, `interval`, `start`). */
export const ScheduleRequest = Type.Object(
  {
    post_id: text('A UUID, or 8 or more of its first characters.'),
    when: text(
      'ISO 8601, now, today <clock>, a clock such as 9pm, tomorrow [clock], <weekday> [clock], next <weekday> [clock] or in <duration>, read in operator_timezone.'
    ),
    publish_at: text('The same as when.'),
    in: text('A duration from now: 30m, 2h, 1d, 1w, 1h30m.'),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Posts in the batch.' })),
    interval: text('Duration between two slots of the batch; days keep the time of day when the clocks change.'),
    start: text('First slot of the batch, in the form of when.'),
    quiet_hours: text('HH:MM-HH:MM, or none; default: the setting publish_quiet_hours.'),
    ordered_by: Type.Optional(Type.Enum([...slotOrders], { description: 'Order of the batch; default approved_at.' })),
    force: Type.Optional(
      Type.Boolean({
        description: 'Replaces a slot the post has; gives one also to a near-duplicate, and to a post without a niche.'
      })
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Answers the slots of the batch without giving them.' }))
  },
  {
    ...strict,
    title: 'ScheduleRequest',
    examples: [
      { post_id: '3f2a9c1b', when: 'tomorrow 9am' },
      { count: 5, interval: '4h', start: 'next monday 14:00' }
    ]
  }
)
export const ScheduleResult = Type.Object({
  ...answerFields,
  dry_run: Type.Optional(Type.Boolean({ description: 'Of a batch.' })),
  skipped: Type.Optional(
    Type.Array(
      Type.Object({
        post_id: Type.String({ format: 'uuid' }),
        slug: Type.String({ examples: ['how-tides-follow-the-moon'] }),
        title: Type.String({ examples: ['How tides follow the moon'] }),
        reason: Type.String({ examples: ['it has no niche_slug, and niche_gated_publishing is on'] })
      }),
      {
        description:
          'Of a batch: posts that it skipped as they have no niche or nearly repeat another; at most 100 for each reason.'
      }
    )
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'Of one post: a slot in the quiet hours, which bind batches only.' })
  )
})
