import { type TSchema, Type } from '#core'
import { pageParameters } from '#lists'
import { TaskCostSchema } from '#plugins/costs'
import { periodParameters } from '#time'
import { maxLabelLength, maxTaskTags, maxTextLength } from './request.ts'
import { taskStatuses } from './states.ts'

const Nullable = <S extends TSchema>(schema: S, options = {}) => Type.Union([schema, Type.Null()], options)
const usuallyNull = { examples: [null] }
const Time = Type.String({ format: 'date-time' })
const strict = { additionalProperties: false }

export const Qa = Type.Object(
  {
    score: Nullable(Type.Number({ examples: [91.5] })),
    passed: Type.Boolean(),
    rails: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['readability'] }),
        required: Type.Boolean(),
        passed: Type.Boolean(),
        score: Type.Number({ examples: [92] }),
        note: Type.String({ examples: ['grade 9'] })
      })
    )
  },
  { title: 'Qa' }
)

const listed = {
  task_id: Type.String({ format: 'uuid' }),
  topic: Type.String({ examples: ['How tides follow the moon'] }),
  category: Nullable(Type.String({ examples: ['science'] })),
  tags: Type.Array(Type.String({ examples: ['tides'] })),
  primary_keyword: Nullable(Type.String({ examples: ['tides'] })),
  target_length: Type.Integer({ description: 'Words.', examples: [1500] }),
  style: Type.String({ examples: ['explanatory'] }),
  tone: Type.String({ examples: ['plain'] }),
  target_audience: Nullable(Type.String({ examples: ['curious readers'] })),
  niche_slug: Nullable(Type.String({ examples: ['nature'] })),
  status: Type.Enum([...taskStatuses], { examples: ['awaiting_approval'] }),
  awaiting_gate: Nullable(Type.String({ description: 'Name of the gate that holds the task.' }), usuallyNull),
  stage: Nullable(
    Type.String({
      description:
        'Pipeline stage that runs or ran last: research, draft or qa; awaiting_budget while the next request does not fit a budget.',
      examples: ['qa']
    })
  ),
  progress: Type.Integer({ minimum: 0, maximum: 100, examples: [100] }),
  attempt: Type.Integer({ description: '1 at first, one more for each re-run and retry.', examples: [1] }),
  feedback: Nullable(Type.String({ examples: ['Say more about spring tides.'] })),
  reason: Nullable(Type.String({ examples: ['too short'] })),
  qa: Nullable(Qa),
  title: Nullable(Type.String({ examples: ['How tides follow the moon'] })),
  excerpt: Nullable(Type.String({ examples: ['Twice a day the sea rises.'] })),
  post_id: Nullable(Type.String({ format: 'uuid' })),
  post_slug: Nullable(Type.String({ examples: ['how-tides-follow-the-moon'] })),
  published_url: Nullable(Type.String({ examples: ['https://example.org/how-tides-follow-the-moon'] })),
  preview_url: Nullable(
    Type.String({ description: 'Read-only, valid 24 hours.', examples: ['https://example.org/preview/eyJ…'] })
  ),
  publish_at: Nullable(Time),
  error: Nullable(
    Type.String({ description: 'Why it failed; while it waits to try again, what for and until when.' }),
    usuallyNull
  ),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
  updated_at: Time,
  started_at: Nullable(Time),
  completed_at: Nullable(Time)
}

/** A task in a list. */
export const TaskItem = Type.Object(listed, { title: 'TaskSummary' })
/** A task by itself, with its text. */
export const Task = Type.Object(
  {
    ...listed,
    content: Nullable(Type.String({ description: 'Markdown.', examples: ['Twice a day the sea rises.'] })),
    cost: Type.Optional(
      Nullable(TaskCostSchema, {
        description:
          'What models were paid for it, only where the task is read by itself; null while nothing is counted.'
      })
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Of an approval: that its publish_at lies in the quiet hours.' })
    )
  },
  { title: 'Task' }
)

const NearDuplicate = Type.Object({
  type: Type.String({ description: 'topic or post.', examples: ['post'] }),
  id: Type.String({ format: 'uuid' }),
  title: Type.String({ examples: ['Why tides come twice a day'] }),
  similarity: Type.Number({ description: '0–1.', examples: [0.81] })
})
const keyword = Nullable(Type.String({ examples: ['tides'] }))
const topicTags = Type.Array(Type.String({ examples: ['sea'] }))
const category = Nullable(Type.String({ examples: ['science'] }))

/** A topic of the queue, with its artifact: what it was proposed with. */
export const Topic = Type.Object(
  {
    task_id: Type.String({ format: 'uuid' }),
    topic: Type.String({ examples: ['How tides follow the moon'] }),
    primary_keyword: keyword,
    tags: topicTags,
    category,
    source: Type.String({ examples: ['manual'] }),
    target_length: Type.Integer({ examples: [1500] }),
    style: Type.String({ examples: ['technical'] }),
    tone: Type.String({ examples: ['professional'] }),
    status: Type.String({ examples: ['awaiting_gate'] }),
    awaiting_gate: Nullable(Type.String({ examples: ['topic_decision'] })),
    created_at: Time,
    near_duplicate: Nullable(NearDuplicate, { description: 'What it nearly repeats.', examples: [null] }),
    artifact: Type.Object({
      topic: Type.String({ examples: ['How tides follow the moon'] }),
      keyword,
      tags: topicTags,
      category,
      source: Type.String({ examples: ['manual'] }),
      target_length: Type.Integer({ examples: [1500] }),
      style: Type.String({ examples: ['technical'] }),
      tone: Type.String({ examples: ['professional'] })
    })
  },
  { title: 'Topic' }
)

export const TaskParameters = Type.Object({
  task_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The id, or 8 or more of its first characters.',
    examples: ['3f2a9c1b']
  })
})

const shortText = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: maxTextLength, pattern: '\\S', description })))

const label = Type.String({ minLength: 1, maxLength: maxLabelLength, pattern: '\\S' })

export const CreateTask = Type.Object(
  {
    topic: Type.String({
      maxLength: 1000,
      trimmedLength: { minimum: 3, maximum: 200 },
      description: '3–200 characters after trimming.',
      examples: ['How tides follow the moon']
    }),
    category: shortText('Slug of the category.'),
    tags: Type.Optional(Type.Array(label, { maxItems: maxTaskTags })),
    primary_keyword: shortText('The keyword the text is about.'),
    target_length: Type.Optional(
      Type.Integer({ minimum: 200, maximum: 5000, description: 'Words.', examples: [1500] })
    ),
    style: Type.Optional(label),
    tone: Type.Optional(label),
    target_audience: shortText('Who it is written for.'),
    niche_slug: shortText('Niche the post belongs to.'),
    metadata: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }))
  },
  { ...strict, title: 'NewTask' }
)

export const ApproveTask = Type.Object(
  {
    approved: Type.Boolean({ description: 'false rejects the draft.' }),
    publish_at: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'ISO 8601, in the future and before the year 9999; only without it the post is published now.',
        examples: ['2027-01-31T09:00:00Z']
      })
    ),
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also when the draft nearly repeats another post, or lacks a niche that niche_gated_publishing asks for.'
      })
    ),
    feedback: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 10_000,
          description: 'With approved: false what should change; a retry gives it to the writer.'
        })
      )
    ),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 500 })))
  },
  { ...strict, title: 'TaskApproval' }
)

export const RejectTask = Type.Object(
  {
    feedback: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'What should change; the writer is given it.',
      examples: ['Say more about spring tides.']
    }),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    allow_revisions: Type.Optional(Type.Boolean({ default: true, description: 'true: written again; false: final.' }))
  },
  { ...strict, title: 'TaskRejection' }
)

/** Body of the decisions that need nothing but, perhaps, a reason. */
export const TaskDecision = Type.Object(
  { reason: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'Why, for the history.' }))) },
  { ...strict, examples: [{ reason: 'Once more' }, {}], title: 'TaskDecision' }
)

export const TaskListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...taskStatuses])),
    category: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxTextLength, description: 'Slug of the category.' })
    ),
    niche_slug: Type.Optional(Type.String({ minLength: 1, maxLength: maxTextLength, description: 'Of this niche.' })),
    ...periodParameters,
    ...pageParameters
  },
  strict
)

export const PipelineEvent = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    at: Time,
    task_id: Type.String({ format: 'uuid' }),
    type: Type.String({ examples: ['draft_done'] }),
    from: Nullable(Type.String({ examples: ['in_progress'] })),
    to: Nullable(Type.String({ examples: ['in_progress'] })),
    actor: Type.String({ examples: ['pipeline'] }),
    detail: Type.Record(Type.String(), Type.Unknown())
  },
  { title: 'PipelineEvent' }
)
