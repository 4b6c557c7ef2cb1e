import { type CommandContext, command } from '#core'
import type { PostComponents } from '../components.ts'
import { mediaKinds } from '../contract/post-ref.ts'
import { type NewPostInput, newPostFaults } from '../creation.ts'
import { readPostFile } from './post-file.ts'
import { leadingHeading, noteHidden, readBody, readPost, requireStorableText } from './shared.ts'

const args = {
  'from-file': {
    type: 'string',
    describe: 'File with the body and front matter, - for stdin; default: stdin',
    placeholder: 'PATH',
    completes: 'file'
  },
  title: { type: 'string', describe: "Default: the body's first H1" },
  slug: { type: 'string', describe: 'Default: the slugified title with a short random suffix' },
  niche: { type: 'string', describe: 'Niche the post belongs to' },
  excerpt: { type: 'string', describe: 'Default: from the first paragraph' },
  status: {
    type: 'string',
    describe: 'Status it starts with',
    options: ['draft', 'awaiting_approval'],
    default: 'draft'
  },
  media: {
    type: 'string',
    describe: `Media to make: a comma list of ${mediaKinds.join(', ')} (short: video_short)`,
    placeholder: 'A,B'
  },
  force: { type: 'boolean', describe: 'Also when a published title is near, or the same body was just submitted' }
} as const

export function createCommand(components: PostComponents) {
  return command({
    describe: 'Make a post by hand from markdown, without the pipeline',
    returns: 'Post with created and preview_url',
    args,
    validate: ({ title, slug, media }) => newPostFaults({ title, slug, media: splitMedia(media) }),
    run: async context => {
      const { actor, terminal } = context
      const input = await readInput(context)
      const { post_id: id, created } = await components.creation.create(input, { actor })
      if (!created)
        terminal.note(`The same body was submitted before. Post ${id} is used. Use --force to create another.`)
      const post = await readPost(components, id)
      if (created) noteHidden(await leadingHeading(input.body, actor), post.title, terminal)
      return { ...post, created, preview_url: await components.previewUrl(id) }
    },
    text: post =>
      `${post.created ? 'Created' : 'Already exists:'} ${post.post_id} (${post.status}): ${post.slug}\nPreview: ${post.preview_url}`
  })
}

type InputContext = Pick<CommandContext<typeof args>, 'args' | 'actor' | 'terminal'>

/** What the file says, where a flag does not say it. @throws InputError */
async function readInput({ args: given, actor, terminal }: InputContext): Promise<NewPostInput> {
  const { title, slug, niche, excerpt, status, media, force } = given
  const text = requireStorableText('body', await readBody(given['from-file'], terminal))
  const { body, fields } = await readPostFile(text, actor, terminal)
  return {
    ...fields,
    body,
    title: title ?? fields.title,
    slug: slug ?? fields.slug,
    niche: niche ?? fields.niche_slug ?? undefined,
    excerpt: excerpt ?? fields.excerpt ?? undefined,
    status,
    media: splitMedia(media),
    allowsDuplicates: force
  }
}

function splitMedia(text: string | undefined): string[] | undefined {
  const kinds = text?.split(',').map(kind => (kind.trim() === 'short' ? 'video_short' : kind.trim()))
  return kinds && [...new Set(kinds)]
}
