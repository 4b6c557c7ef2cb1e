import { fieldLines, pageTable } from '#cli'
import { command, type FieldErrors } from '#core'
import type { AskedAgain, Generation, MediaJob } from '../jobs/generation.ts'
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
    returns: 'MediaJob, or {asked: list of MediaJob, refused: list of {post_id, message}, left} with --failed',
    args: {
      post_id: { type: 'positional', describe: post_id.describe },
      failed: { type: 'boolean', describe: 'Ask again for all media that could not be made, the latest first' },
      limit: { type: 'integer', describe: 'With --failed: jobs to ask for', minimum: 1, maximum: 1000 },
      media: {
        type: 'string',
        describe: `What to make: a comma list of ${knownKinds.join(', ')} (short: video_short). With a film comes the podcast`,
        placeholder: 'A,B'
      }
    },
    validate: args => Object.assign(oneOrFailed(args), kindFaults(kindsIn(args.media))),
    run: ({ args, actor }): Promise<MediaJob | AskedAgain> =>
      args.post_id === undefined
        ? generation.generateFailed(args.limit ?? defaultLimit, actor)
        : generation.generate(args.post_id, kindsIn(args.media), actor),
    text: result => ('asked' in result ? askedText(result) : jobText(result))
  })

const defaultLimit = 100

interface GenerateArgs {
  post_id?: string | undefined
  failed?: boolean | undefined
  limit?: number | undefined
  media?: string | undefined
}

/** A post, or what has failed: never neither, and never both. */
function oneOrFailed({ post_id: id, failed, limit, media }: GenerateArgs): FieldErrors {
  if (id === undefined && !failed) return { post_id: 'is required, or --failed' }
  if (id !== undefined && failed) return { failed: 'cannot be combined with <post_id>: give one of them' }
  if (failed)
    return media === undefined ? {} : { media: 'cannot be combined with --failed, which asks for what failed' }
  return limit === undefined ? {} : { limit: 'is for --failed alone' }
}

const jobText = ({ job_id, state, media }: MediaJob): string =>
  `Job ${job_id} (${media.join(', ')}) is ${state}: galley media status ${job_id} shows it.`

function askedText({ asked, refused, left }: AskedAgain): string {
  const more = left > refused.length ? 'Run it again for the others.' : 'No other failed.'
  const lines = refused.map(({ post_id: id, message }) => `${id.slice(0, 8)}: ${message}`)
  return [`Asked again: ${asked.length}. ${more} "media list" shows them.`, ...lines].join('\n')
}

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
    exitStatus: ({ state }) => (state === 'failed' ? 1 : 0)
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
    describe:
      'Remove the audio, films and transcripts of a post; its cover, and files that you put into the store, stay',
    returns: '{post_id, removed}',
    args: { post_id },
    confirm: ({ args }) => ({
      text: `Remove the audio, films and transcripts that were made of post ${args.post_id}?`
    }),
    run: ({ args, actor }) => generation.remove(args.post_id, actor),
    text: ({ post_id, removed }) => `${removed} files of post ${post_id} were removed.`
  })
