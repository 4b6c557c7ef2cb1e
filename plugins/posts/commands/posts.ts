import { fieldLines, pageTable } from '#cli'
import { type CommandGroup, ConflictError, command, NotFoundError } from '#core'
import { toPage } from '#lists'
import type { PostComponents } from '../components.ts'
import { cursorOf } from '../reads/pages.ts'
import { type PostSummary, postOf, summaryOf } from '../reads/representation.ts'
import { resolvePost } from '../repository/ids.ts'
import { listAll } from '../repository/lists.ts'
import { findById, findBySlug } from '../repository/reads.ts'
import { postStatuses } from '../states.ts'
import { createCommand } from './creation.ts'
import { editCommand, retitleCommand } from './edits.ts'
import { post_id, readPost } from './shared.ts'
import { archiveCommand, publishCommand, restorePostCommand, submitCommand, unpublishCommand } from './transitions.ts'

const limit = { type: 'integer', describe: 'Posts on the page, 1–100', default: 20, minimum: 1, maximum: 100 } as const
const offset = {
  type: 'integer',
  describe: 'Posts before the page',
  default: 0,
  minimum: 0,
  maximum: 1_000_000_000
} as const

const postCommands = (components: PostComponents) => ({
  list: listCommand(components),
  get: getCommand(components),
  publish: publishCommand(components),
  submit: submitCommand(components),
  archive: archiveCommand(components),
  unpublish: unpublishCommand(components),
  restore: restorePostCommand(components),
  edit: editCommand(components),
  retitle: retitleCommand(components),
  preview: previewCommand(components),
  create: createCommand(components)
})

/** The whole group: ours, and those of other plugins. */
export async function loadPostGroup(components: PostComponents): Promise<CommandGroup> {
  const added = await Promise.all(components.extraCommands.map(load => load()))
  return Object.assign({}, postCommands(components), ...added)
}

function listCommand({ db, totals, links }: PostComponents) {
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
      const filter = { status: args.status, category: args.category, tag: args.tag }
      const [rows, total] = await Promise.all([listAll(db, filter, page), totals.ofAll(filter)])
      const { items, next_cursor: _, ...rest } = toPage(rows, page, total, cursorOf)
      return { items: items.map(row => summaryOf(row, links)), ...rest }
    },
    text: ({ items, ...page }, terminal) => pageTable(columns, items.map(cells), { ...page, empty }, terminal)
  })
}

const empty = 'No post fits: "posts create" makes one by hand.'
const columns = [
  { heading: 'POST' },
  { heading: 'STATUS', dropOrder: 1 },
  { heading: 'PUBLISHED', dropOrder: 2 },
  { heading: 'SLUG', dropOrder: 3 },
  { heading: 'TITLE', isText: true }
]
const cells = (post: PostSummary) => [post.post_id.slice(0, 8), post.status, post.published_at, post.slug, post.title]

function getCommand({ db, links }: PostComponents) {
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

async function findByPrefix(db: PostComponents['db'], text: string) {
  if (!/^[0-9a-f-]{8,36}$/i.test(text)) return undefined
  return findById(db, await resolvePost(db, text))
}

function previewCommand(components: PostComponents) {
  return command({
    describe: 'Print the address of a page that shows a post as it is, to whoever has it, for 24 hours',
    returns: '{post_id, status, preview_url}',
    args: { post_id },
    run: async ({ args }) => {
      const { post_id: id, status } = await readPost(components, await resolvePost(components.db, args.post_id))
      if (status === 'archived')
        throw new ConflictError(`Post ${id} is archived and has no preview: "posts restore" makes it a draft again.`)
      return { post_id: id, status, preview_url: await components.previewUrl(id) }
    },
    text: ({ preview_url }) => preview_url
  })
}
