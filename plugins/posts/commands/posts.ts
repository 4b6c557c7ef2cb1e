import { fieldLines, pageTable } from '#cli'
import { type CommandGroup, ConflictError, command, NotFoundError, toPage } from '#core'
import { handFaults, mediaKinds } from '../creation.ts'
import type { Parts } from '../parts.ts'
import { resolvePost } from '../post-id.ts'
import { listAll } from '../repository/lists.ts'
import { findById, findBySlug } from '../repository/reads.ts'
import { type PostSummary, postOf, summaryOf } from '../representation.ts'
import { cursorOf } from '../routes/app.ts'
import { type PostStatus, postStatuses } from '../states.ts'
import { editCommand, retitleCommand } from './edits.ts'
import { post_id, readable, readBody, readPost } from './shared.ts'

const limit = { type: 'integer', describe: 'Posts on the page, 1–100', default: 20, minimum: 1, maximum: 100 } as const
const offset = {
  type: 'integer',
  describe: 'Posts before the page',
  default: 0,
  minimum: 0,
  maximum: 1_000_000_000
} as const

const postCommands = (parts: Parts) => ({
  list: listCommand(parts),
  get: getCommand(parts),
  publish: publishCommand(parts),
  submit: submitCommand(parts),
  archive: archiveCommand(parts),
  unpublish: unpublishCommand(parts),
  restore: restoreCommand(parts),
  edit: editCommand(parts),
  retitle: retitleCommand(parts),
  preview: previewCommand(parts),
  create: createCommand(parts)
})

/** The whole group: ours, and those of other plugins. */
export async function loadPostGroup(parts: Parts): Promise<CommandGroup> {
  const added = await Promise.all(parts.extraCommands.map(load => load()))
  return Object.assign({}, postCommands(parts), ...added)
}

function listCommand({ db, totals, links }: Parts) {
  return command({
    describe: 'Posts of any status, newest first',
    returns: 'list of Post',
    args: {
      status: { type: 'string', describe: 'Only posts of this status', options: postStatuses },
      category: { type: 'string', describe: 'Only posts of the category with this slug' },
      tag: { type: 'string', describe: 'Only posts with the tag with this slug' },
      limit,
      offset
    },
    run: async ({ args }) => {
      const page = { limit: args.limit, offset: args.offset, after: null }
      const filter = { status: args.status as PostStatus | undefined, category: args.category, tag: args.tag }
      const [rows, total] = await Promise.all([listAll(db, filter, page), totals.ofAll(filter)])
      const { items, next_cursor: _, ...rest } = toPage(rows, page, total, cursorOf)
      return { items: items.map(row => summaryOf(row, links)), ...rest }
    },
    text: ({ items, ...page }, terminal) => pageTable(columns, items.map(cells), { ...page, empty }, terminal)
  })
}

const empty = 'No post fits: "posts create" makes one by hand, "tasks create" has one written.'
const columns = [
  { heading: 'POST' },
  { heading: 'STATUS', drop: 1 },
  { heading: 'PUBLISHED', drop: 2 },
  { heading: 'SLUG', drop: 3 },
  { heading: 'TITLE', isText: true }
]
const cells = (post: PostSummary) => [post.post_id.slice(0, 8), post.status, post.published_at, post.slug, post.title]

function getCommand({ db, links }: Parts) {
  return command({
    describe: 'One post, whatever its status',
    returns: 'Post',
    args: {
      slug: {
        type: 'positional',
        describe: 'Slug of the post, its id or that of its task, or 8 or more of its first characters',
        required: true
      }
    },
    run: async ({ args }) => {
      const post = (await findBySlug(db, args.slug)) ?? (await findByPrefix(db, args.slug))
      if (post === undefined) throw new NotFoundError(`There is no post ${args.slug}: see posts list.`)
      return postOf(post, links)
    },
    text: ({ content, content_html, ...post }, terminal) => `${fieldLines(post, terminal)}\n\n${content}`
  })
}

async function findByPrefix(db: Parts['db'], text: string) {
  if (!/^[0-9a-f-]{8,36}$/i.test(text)) return undefined
  return findById(db, await resolvePost(db, text))
}

function publishCommand(parts: Parts) {
  return command({
    describe: 'Make a post public now; that is its approval, too',
    returns: 'Post',
    args: {
      post_id,
      force: {
        type: 'boolean',
        describe:
          'Also a draft that nearly repeats another post, that lacks a niche, or whose task was rejected or writes it again'
      }
    },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      const by = { actor, force: args.force }
      await parts.check.before(id, by)
      await parts.db.transaction(tx => parts.states.publish(tx, id, by))
      return readPost(parts, id)
    },
    text: post => `Published ${post.slug}: ${parts.links.post(post.slug)}`
  })
}

function submitCommand(parts: Parts) {
  return command({
    describe: 'Hand a draft made by hand in for approval; schedule at and schedule batch then take it',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.states.submit(id, { actor })
      return readPost(parts, id)
    },
    text: post => `${post.slug} waits for approval.`
  })
}

function archiveCommand(parts: Parts) {
  return command({
    describe: 'Archive a post: it is gone for readers, its row stays',
    returns: 'Post',
    async confirm({ args }) {
      const { slug } = await readPost(parts, await resolvePost(parts.db, args.post_id))
      return { text: `Archive the post ${slug}? Readers no longer find it.` }
    },
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.db.transaction(tx => parts.states.archive(tx, id, { actor }))
      return readPost(parts, id)
    },
    text: post => `Archived ${post.slug}.`
  })
}

function unpublishCommand({ db, states }: Parts) {
  return command({
    describe: 'Make a published post a draft again',
    returns: '{post_id, unpublished, status}',
    args: { post_id },
    run: async ({ args, actor }) => states.unpublish(await resolvePost(db, args.post_id), { actor }),
    text: result =>
      result.unpublished ? 'Unpublished: it is a draft again.' : `No change: the post is ${result.status}.`
  })
}

function restoreCommand(parts: Parts) {
  return command({
    describe: 'Make an archived post a draft again; its task waits for approval',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.states.restore(id, { actor })
      return readPost(parts, id)
    },
    text: post => `${post.slug} is a draft again: "posts publish ${post.post_id.slice(0, 8)}" makes it public.`
  })
}

function previewCommand(parts: Parts) {
  return command({
    describe: 'Print the address of a page that shows a post as it is, to whoever has it, for 24 hours',
    returns: '{post_id, status, preview_url}',
    args: { post_id },
    run: async ({ args }) => {
      const { post_id: id, status } = await readPost(parts, await resolvePost(parts.db, args.post_id))
      if (status === 'archived')
        throw new ConflictError(`Post ${id} is archived and has no preview: "posts restore" makes it a draft again.`)
      return { post_id: id, status, preview_url: await parts.previewUrl(id) }
    },
    text: ({ preview_url }) => preview_url
  })
}

function createCommand(parts: Parts) {
  return command({
    describe: 'Make a post by hand from markdown, without the pipeline',
    returns: 'Post with created and preview_url',
    args: {
      'from-file': { type: 'string', describe: 'File with the body, - for stdin; default: stdin', placeholder: 'PATH' },
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
      force: { type: 'boolean', describe: 'Also when a published title is near, or the same body was just handed in' }
    },
    check: ({ slug, media }) => handFaults({ slug, media: splitMedia(media) }),
    run: async ({ args, actor, terminal }) => {
      const { title, slug, niche, excerpt, force } = args
      const body = readable('body', await readBody(args['from-file'], terminal))
      for (const [field, text] of Object.entries({ title, niche, excerpt }))
        if (text !== undefined) readable(field, text)
      const status = args.status === 'awaiting_approval' ? 'awaiting_approval' : 'draft'
      const hand = { body, title, slug, niche, excerpt, status, media: splitMedia(args.media), force } as const
      const { post_id: id, created } = await parts.creation.create(hand, { actor })
      if (!created) terminal.note(`This body was handed in before: post ${id} stands. Use --force for another.`)
      return { ...(await readPost(parts, id)), created, preview_url: await parts.previewUrl(id) }
    },
    text: post =>
      `${post.created ? 'Created' : 'Kept'} ${post.post_id} (${post.status}): ${post.slug}\nPreview: ${post.preview_url}`
  })
}

function splitMedia(text: string | undefined): string[] | undefined {
  const kinds = text?.split(',').map(kind => (kind.trim() === 'short' ? 'video_short' : kind.trim()))
  return kinds && [...new Set(kinds)]
}
