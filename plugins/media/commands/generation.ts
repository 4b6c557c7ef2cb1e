import { fieldLines, pageTable } from '#cli'
import { command } from '#core'
import type { Generation } from '../jobs/generation.ts'
import { kindFaults, knownKinds } from '../jobs/kinds.ts'

const post_id = {
  type: 'positional',
  describe: 'Id of the post, or 8 or more of its first characters',
  required: true
} as const

/** `short` is what `posts create` takes for `video_short`, too. */
const kindsIn = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map(name => name.trim())
    .filter(Boolean)
    .map(name => (name === 'short' ? 'video_short' : name))

export const generateCommand = (generation: Generation) =>
  command({
    describe: 'Make audio, films or a cover of a public post, in the background; for the same text the same job',
    returns: 'MediaJob',
    args: {
      post_id,
      media: {
        type: 'string',
        describe: `What to make: a comma list of ${knownKinds.join(', ')} (short: video_short). With a film comes the podcast`,
        placeholder: 'A,B'
      }
    },
    check: ({ media }) => kindFaults(kindsIn(media)),
    run: ({ args, actor }) => generation.generate(args.post_id, kindsIn(args.media), actor),
    text: ({ job_id, state, media }) => `Job ${job_id} (${media.join(', ')}) is ${state}: "media status" shows it.`
  })

export const jobStatusCommand = (generation: Generation) =>
  command({
    describe: 'How far a media job is, and what it made',
    returns: 'MediaJobDetails',
    args: {
      job_id: {
        type: 'positional',
        describe: 'Id of the job, or 8 or more of its first characters',
        required: true
      }
    },
    run: ({ args }) => generation.get(args.job_id),
    text: ({ files, ...job }, terminal) =>
      [fieldLines(job, terminal), files.map(({ url, bytes }) => `${url} (${bytes} bytes)`).join('\n')]
        .filter(Boolean)
        .join('\n\n'),
    exit: ({ state }) => (state === 'failed' ? 1 : 0)
  })

const columns = [
  { heading: 'JOB' },
  { heading: 'POST' },
  { heading: 'MEDIA', dropOrder: 2 },
  { heading: 'STATE' },
  { heading: 'PERCENT', dropOrder: 1 },
  { heading: 'ERROR', isText: true }
]

export const jobListCommand = (generation: Generation) =>
  command({
    describe: 'Media jobs, newest first',
    returns: 'list of MediaJob',
    args: {
      post: { type: 'string', describe: 'Only those of this post' },
      limit: { type: 'integer', describe: 'Jobs to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Jobs to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const { items, total, limit, offset } = await generation.list({
        post_id: args.post,
        limit: args.limit,
        offset: args.offset
      })
      return { items, total, limit, offset }
    },
    text: (page, terminal) => {
      const rows = page.items.map(({ job_id, post_id, media, state, progress, error }) => [
        job_id.slice(0, 8),
        post_id.slice(0, 8),
        media.join(', '),
        state,
        String(progress),
        error
      ])
      return pageTable(columns, rows, { ...page, empty: 'No media: "media generate POST_ID" makes some.' }, terminal)
    }
  })

export const removeMediaCommand = (generation: Generation) =>
  command({
    describe: 'Remove the media that were made of a post; files that you put into the store stay',
    returns: '{post_id, removed}',
    args: { post_id },
    confirm: ({ args }) => ({
      text: `Remove the audio, films and transcripts that were made of post ${args.post_id}?`
    }),
    run: ({ args, actor }) => generation.remove(args.post_id, actor),
    text: ({ post_id, removed }) => `${removed} files of post ${post_id} were removed.`
  })
