import { type TSchema, Type } from 'typebox'
import { pageParameters } from '#core'
import { longest } from './request.ts'
import { taskStatuses } from './states.ts'

const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time' })
const strict = { additionalProperties: false }

export const Qa = Type.Object({
  score: Nullable(Type.Number()),
  passed: Type.Boolean(),
  rails: Type.Array(
    Type.Object({
      name: Type.String(),
      required: Type.Boolean(),
      passed: Type.Boolean(),
      score: Type.Number(),
      note: Type.String()
    })
  )
})

const listed = {
  task_id: Type.String({ format: 'uuid' }),
  topic: Type.String(),
  category: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  primary_keyword: Nullable(Type.String()),
  target_length: Type.Integer({ description: 'Words.' }),
  style: Type.String(),
  tone: Type.String(),
  target_audience: Nullable(Type.String()),
  niche_slug: Nullable(Type.String()),
  status: Type.Enum([...taskStatuses]),
  awaiting_gate: Nullable(Type.String({ description: 'Name of the gate that holds the task.' })),
  stage: Nullable(Type.String({ description: 'Pipeline step that runs or ran last.' })),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  attempt: Type.Integer({ description: 'Counts drafts.' }),
  feedback: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  qa: Nullable(Qa),
  title: Nullable(Type.String()),
  excerpt: Nullable(Type.String()),
  post_id: Nullable(Type.String({ format: 'uuid' })),
  post_slug: Nullable(Type.String()),
  published_url: Nullable(Type.String()),
  preview_url: Nullable(Type.String({ description: 'Read-only, valid 24 hours.' })),
  publish_at: Nullable(Time),
  error: Nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
  updated_at: Time,
  started_at: Nullable(Time),
  completed_at: Nullable(Time)
}

/** A task in a list. */
export const TaskItem = Type.Object(listed)
/** A task by itself, with its text. */
export const Task = Type.Object({ ...listed, content: Nullable(Type.String({ description: 'Markdown.' })) })

export const TaskParameters = Type.Object({
  task_id: Type.String({ minLength: 1, maxLength: 64, description: 'The id, or 8 or more of its first characters.' })
})

const shortText = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: longest.text, pattern: '\\S', description })))

const label = Type.String({ minLength: 1, maxLength: longest.label, pattern: '\\S' })

export const CreateTask = Type.Object(
  {
    topic: Type.String({
      maxLength: 1000,
      trimmedLength: { minimum: 3, maximum: 200 },
      description: '3–200 characters after trimming.'
    }),
    category: shortText('Slug of the category.'),
    tags: Type.Optional(Type.Array(label, { maxItems: longest.tags })),
    primary_keyword: shortText('The keyword the text is about.'),
    target_length: Type.Optional(Type.Integer({ minimum: 200, maximum: 5000, description: 'Words.' })),
    style: Type.Optional(label),
    tone: Type.Optional(label),
    target_audience: shortText('Who it is written for.'),
    niche_slug: shortText('Niche the post belongs to.'),
    metadata: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }))
  },
  strict
)

export const ApproveTask = Type.Object(
  {
    approved: Type.Boolean({ description: 'false turns the draft down.' }),
    publish_at: Type.Optional(
      Nullable(
        Type.String({ maxLength: 64, description: 'ISO 8601, in the future; without it the post is published now.' })
      )
    ),
    feedback: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 500 })))
  },
  strict
)

export const RejectTask = Type.Object(
  {
    feedback: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'What should change; the writer is given it.'
    }),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    allow_revisions: Type.Optional(Type.Boolean({ default: true, description: 'true: written again; false: final.' }))
  },
  strict
)

export const TaskListQuery = Type.Object(
  { status: Type.Optional(Type.Enum([...taskStatuses])), ...pageParameters },
  strict
)

export const PipelineEvent = Type.Object({
  id: Type.Integer(),
  at: Time,
  task_id: Type.String({ format: 'uuid' }),
  type: Type.String(),
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  actor: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown())
})
