import { setting, Type } from '#core'

/** The gate at which a scheduled post waits for a last approval. */
export const publishGateName = 'final_publish_approval'

/** Listed among those of the posts. */
const category = 'posts'

export const scheduleSettings = {
  pipeline_gate_final_publish_approval: setting(Type.Union([Type.Literal('on'), Type.Literal('off')]), {
    default: 'off',
    category,
    describe:
      'Whether a scheduled post waits at its slot for a last approval. While on, no draft publishes by its score.'
  }),
  publish_quiet_hours: setting(
    Type.String({ pattern: '^((?!(.{5})-\\2)([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d)?$' }),
    {
      default: '',
      category,
      describe:
        'Quiet window HH:MM-HH:MM of two different times, read in operator_timezone, that batch scheduling leaves out; empty: none.'
    }
  )
}
