import { command } from '#core'
import type { PostComponents } from '../components.ts'
import { mediaKinds } from '../contract/post-ref.ts'
import { newPostFaults } from '../creation.ts'
import { readPostFile } from './post-file.ts'
import { readBody, readPost, requireStorableText } from './shared.ts'

export function createCommand(components: PostComponents) {
  return command({
    describe: 'Make a post by hand from markdown, without the pipeline',
    returns: 'Post with created and preview_url',
    args: {
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
    },
    validate: ({ title, slug, media }) => newPostFaults({ title, slug, media: splitMedia(media) }),
    run: async ({ args, actor, terminal }) => {
      const { title, slug, niche, excerpt, force } = args
      const text = requireStorableText('body', await readBody(args['from-file'], terminal))
      for (const [field, text] of Object.entries({ title, niche, excerpt }))
        if (text !== undefined) requireStorableText(field, text)
      const status = args.status === 'awaiting_approval' ? 'awaiting_approval' : 'draft'
      const { body, fields } = await readPostFile(text, actor, terminal)
      const given = {
        title: title ?? fields.title,
        slug: slug ?? fields.slug,
        niche: niche ?? fields.niche_slug ?? undefined,
        excerpt: excerpt ?? fields.excerpt ?? undefined
      }
      const input = {
        ...fields,
        ...given,
        body,
        status,
        media: splitMedia(args.media),
        allowsDuplicates: force
      } as const
      const { post_id: id, created } = await components.creation.create(input, { actor })
      if (!created)
        terminal.note(`The same body was submitted before. Post ${id} is used. Use --force to create another.`)
      return { ...(await readPost(components, id)), created, preview_url: await components.previewUrl(id) }
    },
    text: post =>
      `${post.created ? 'Created' : 'Already exists:'} ${post.post_id} (${post.status}): ${post.slug}\nPreview: ${post.preview_url}`
  })
}

function splitMedia(text: string | undefined): string[] | undefined {
  const kinds = text?.split(',').map(kind => (kind.trim() === 'short' ? 'video_short' : kind.trim()))
  return kinds && [...new Set(kinds)]
}
