import { type TSchema, Type } from '#core'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const id = Type.String({ format: 'uuid' })
const gate_name = Type.String({ examples: ['topic_decision'] })
const reason = nullable(Type.String({ examples: ['Say more about spring tides.'] }))
const content_hash = nullable(Type.String({ description: 'Null where the content cannot change.', examples: [null] }))

/** The default gate, or a configurable one. */
export const Gate = Type.Object(
  {
    gate_name,
    mechanism: Type.String({ description: 'default or configurable.', examples: ['configurable'] }),
    enabled: Type.Boolean(),
    pending_count: Type.Integer({ examples: [3] }),
    wired_into: Type.Optional(Type.String({ examples: ['the topic queue'] })),
    setting_key: Type.Optional(Type.String({ examples: ['pipeline_gate_topic_decision'] })),
    auto_publish_threshold: Type.Optional(Type.Number({ description: 'Of the default gate.', examples: [0] })),
    require_human_approval: Type.Optional(Type.Boolean({ description: 'Of the default gate.' }))
  },
  { title: 'Gate' }
)

/** What waits at a gate. */
export const HeldItem = Type.Object(
  {
    gate_name,
    subject_type: Type.String({ examples: ['task'] }),
    subject_id: id,
    task_id: nullable(id),
    post_id: nullable(id),
    title: Type.String({ examples: ['How tides follow the moon'] }),
    content_hash,
    slot: nullable(
      Type.String({
        description:
          'The slot that was reached, or lost. Approving gives a lost one back while it lies ahead, and else publishes at once.',
        examples: [null]
      })
    ),
    actor: Type.String({ examples: ['pipeline'] }),
    reason,
    held_at: nullable(Type.String({ examples: ['2026-11-21T10:00:00.000Z'] }))
  },
  { title: 'HeldItem' }
)

/** A row of the gate history. */
export const GateDecision = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    gate_name,
    subject_type: Type.String({ examples: ['task'] }),
    subject_id: id,
    decision: Type.String({
      description: 'held, approved, rejected, auto_approved or cleared.',
      examples: ['approved']
    }),
    actor: Type.String({ examples: ['operator'] }),
    reason,
    content_hash
  },
  { title: 'GateDecision' }
)
