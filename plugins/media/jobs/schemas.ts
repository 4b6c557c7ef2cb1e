import { Type } from '#core'
import { pageOf, pageParameters } from '#lists'
import { knownKinds } from './kinds.ts'

const uuid = '3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d'
const time = Type.String({ examples: ['2026-11-21T10:00:00.000Z'] })
const media = Type.Array(Type.String({ examples: ['podcast'] }))

export const GenerateBody = Type.Object(
  {
    media: Type.Optional(
      Type.Array(Type.Enum([...knownKinds]), {
        minItems: 1,
        maxItems: knownKinds.length,
        description:
          'What to make; absent: what the post should have, or else a podcast. With a film comes the podcast.'
      })
    )
  },
  { additionalProperties: false, examples: [{ media: ['podcast'] }, {}] }
)

/** The answer of `POST /generate`. */
export const GenerationStarted = Type.Object({
  job_id: Type.String({ format: 'uuid', examples: [uuid] }),
  post_id: Type.String({ format: 'uuid', examples: [uuid] }),
  media
})

const jobFields = {
  job_id: Type.String({ format: 'uuid', examples: [uuid] }),
  post_id: Type.String({ format: 'uuid', examples: [uuid] }),
  media,
  state: Type.String({
    description: 'pending, running, done, failed, replaced (the text changed), withdrawn (with its post) or removed.',
    examples: ['running']
  }),
  progress: Type.Integer({ description: 'Percent.', examples: [42] }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it failed; while it is tried again, why the last try did.',
    examples: [null]
  }),
  created_at: time,
  updated_at: time
}

const MediaJobSchema = Type.Object(jobFields, { title: 'MediaJob' })
export const MediaJobDetails = Type.Object(
  {
    ...jobFields,
    files: Type.Array(
      Type.Object({
        url: Type.String({ examples: [`https://example.org/episodes/${uuid}.mp3`] }),
        bytes: Type.Integer({ examples: [893_211] }),
        duration_ms: Type.Union([Type.Integer(), Type.Null()], { examples: [111_400] }),
        made_at: time
      }),
      { description: 'What it made, while that is what readers get.' }
    )
  },
  { title: 'MediaJobDetails' }
)
export const MediaJobPage = pageOf(MediaJobSchema)
export const MediaJobQuery = Type.Object(
  {
    post_id: Type.Optional(Type.String({ maxLength: 200, description: 'Only those of this post.', examples: [uuid] })),
    ...pageParameters
  },
  { additionalProperties: false }
)
export const MediaJobParameter = Type.Object({
  job_id: Type.String({
    maxLength: 200,
    description: 'UUID of the job, or 8 or more of its first characters.',
    examples: [uuid]
  })
})
export const GenerateParameter = Type.Object({
  post_id: Type.String({
    maxLength: 200,
    description: 'UUID of the post, or 8 or more of its first characters.',
    examples: [uuid]
  })
})
