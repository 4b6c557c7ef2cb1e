import { Type } from '#core'
import { maxLimit, pageParameters } from '#lists'

const Nullable = (example: string, description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

export const SettingBody = Type.Object(
  {
    key: Type.String({ examples: ['publish_quiet_hours'] }),
    value: Type.String({ description: 'Text; ******** for a secret.', examples: ['22:00-07:00'] }),
    default: Nullable('', 'Null for a setting that no plugin declares.'),
    bounds: Nullable('at most 11 characters', 'What the value may be, in a few words; null for any text.'),
    category: Type.String({ examples: ['machine'] }),
    description: Type.String({ examples: ['Quiet window HH:MM-HH:MM for batches.'] }),
    is_secret: Type.Boolean({ examples: [false] }),
    is_machine: Type.Boolean({
      description: "One of the operator's machine: over HTTP a change needs the scope api:admin.",
      examples: [false]
    }),
    is_active: Type.Boolean(),
    sent_to: Nullable('https://api.openai.com', 'Of a secret that is sent to an address: the host it was set for.'),
    fault: Nullable(
      'llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.',
      'Why the stored value is not in use; null when it is, or when there is none.'
    ),
    updated_at: Nullable('2026-11-21T10:00:00.000Z', 'Null while the default is in use.')
  },
  { title: 'Setting' }
)

export const KeyParameter = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 128, examples: ['publish_quiet_hours'] })
})

export const SettingQuery = Type.Object(
  {
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    // Without defaults: what is absent asks for no page.
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, description: 'Of a page; default: 20.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    cursor: pageParameters.cursor
  },
  { additionalProperties: false }
)

export const NewValue = Type.Object(
  { value: Type.String({ maxLength: 65_536, examples: ['22:00-07:00'] }) },
  { additionalProperties: false }
)
