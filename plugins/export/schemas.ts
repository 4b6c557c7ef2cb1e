import { Type } from '#core'

export const RebuildReport = Type.Object({
  posts: Type.Integer({ description: 'Public posts, each with a file.', examples: [42] }),
  files: Type.Integer({ description: 'Files the export consists of.', examples: [48] }),
  unfinished: Type.Integer({
    description: 'Pages that lack a part, as the theme or the sizes of pictures. The next runs make them again.',
    examples: [0]
  }),
  removed: Type.Integer({ description: 'Files of posts that are no longer public.', examples: [1] }),
  bytes: Type.Integer({ description: 'Size of all files.', examples: [812345] }),
  duration_ms: Type.Integer({ examples: [130] })
})

const examples = ['3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d']
const job_id = Type.String({ format: 'uuid', examples })
const time = Type.String({ examples: ['2026-11-21T10:00:00.000Z'] })

/** The answer to a rebuild that goes on. */
export const RebuildStarted = Type.Object({ job_id })

export const RebuildParameter = Type.Object({ job_id: Type.String({ maxLength: 200, examples }) })

export const RebuildJob = Type.Object(
  {
    job_id,
    state: Type.String({ description: 'running, done or failed.', examples: ['running'] }),
    posts: Type.Integer({ description: 'Posts written so far.', examples: [12_000] }),
    public_posts: Type.Integer({ description: 'Posts to be written.', examples: [42_000] }),
    report: Type.Union([RebuildReport, Type.Null()], { description: 'Once it is done.', examples: [null] }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.', examples: [null] }),
    started_at: time,
    updated_at: time
  },
  { title: 'RebuildJob' }
)
