import { command, InputError, type Terminal } from '#core'
import { defaultGateName } from '#plugins/gates'
import { oneLine } from '#text/excerpts'
import type { PostComponents } from '../components.ts'
import { type EditOutcome, type PostPatch, patchFaults } from '../edits.ts'
import type { Post } from '../reads/representation.ts'
import { resolvePost } from '../repository/ids.ts'
import { readPostFile } from './post-file.ts'
import { leadingHeading, noteHidden, post_id, readBody, readPost, requireStorableText } from './shared.ts'

const text = (describe: string) => ({ type: 'string', describe, acceptsEmpty: true }) as const
const clears = '"" clears it'

/** A flag for each field of PATCH; the content has --from-file. */
const fields = {
  title: text('New title'),
  slug: text('New slug; the old one leads to it'),
  excerpt: text(`New excerpt; ${clears}`),
  category: text(`Slug of the category; ${clears}`),
  tags: text(`Comma list of tags; ${clears}`),
  'seo-title': text(`Title for search engines; ${clears}`),
  'seo-description': text(`Description for search engines; ${clears}`),
  'seo-keywords': text(`Comma list of keywords; ${clears}`),
  'featured-image-url': text(`Address of the picture; ${clears}`),
  language: text(`BCP 47, such as pt-BR; "" is the setting site_language`),
  author: text(`Who wrote it; ${clears}`),
  niche: text(`Niche the post belongs to; ${clears}`)
} as const
const lists = ['tags', 'seo_keywords']
const never = ['title', 'slug', 'content']

type Given = { readonly [name in keyof typeof fields]?: string | undefined }

/** The flags given as the API takes them. */
function patchOf(args: Given): PostPatch {
  const texts: Readonly<Record<string, string | undefined>> = args
  const given = Object.keys(fields).flatMap(name => {
    const value = texts[name]
    if (value === undefined) return []
    const field = name === 'niche' ? 'niche_slug' : name.replaceAll('-', '_')
    return [[field, fieldValue(field, value)]]
  })
  return Object.fromEntries(given)
}

function fieldValue(field: string, value: string): string | string[] | null {
  if (value === '' && !never.includes(field)) return null
  if (field === 'title') return oneLine(value)
  return lists.includes(field) ? value.split(',').map(part => part.trim()) : value
}

/** A fault of a field under the name of its flag. */
const asFlags = (faults: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field === 'niche_slug' ? 'niche' : field, fault]))

export function editCommand(components: PostComponents) {
  return command({
    describe: 'Change fields of a post, or its text from a file or stdin; the others stay',
    returns: 'Post',
    args: {
      post_id,
      ...fields,
      'from-file': {
        type: 'string',
        describe:
          'File with the new text and front matter, - for stdin; a new H1 at its beginning is the title; without any flag it is read from stdin',
        placeholder: 'PATH',
        completes: 'file'
      }
    },
    validate: args => asFlags(patchFaults(patchOf(args))),
    run: async ({ args, actor, terminal }) => {
      const id = await resolvePost(components.db, args.post_id)
      const patch = patchOf(args)
      for (const [field, value] of Object.entries(patch)) requireStorableText(field, String(value ?? ''))
      const text = await readContent(args['from-file'], patch, terminal)
      const before = await readPost(components, id)
      const edit = text === undefined ? null : await withFile(text, { before, patch, actor, terminal })
      const whole = edit?.whole ?? patch
      const faults = patchFaults(whole)
      if (Object.keys(faults).length > 0) throw new InputError(faults)
      const outcome = await components.edits.edit(id, whole, { actor })
      if (edit !== null) printTitle(before.title, edit, terminal)
      printOutcome(components, outcome, before.post_id, terminal)
      return readPost(components, id)
    },
    text: post => `Edited ${post.slug} (${post.status}).`
  })
}

/** A patch, and the H1 that its new text begins with. */
interface FileEdit {
  whole: PostPatch
  heading: string | null
}

interface EditContext {
  before: Pick<Post, 'content'>
  patch: PostPatch
  actor: string
  terminal: Terminal
}

/**
 * What flags say takes precedence over the front matter, and that over a leading H1, which readers do not see in the text. An H1
 * that the text had before says nothing: the post may have got another title since.
 */
async function withFile(text: string, { before, patch, actor, terminal }: EditContext): Promise<FileEdit> {
  const { body, fields } = await readPostFile(text, actor, terminal)
  const whole = { ...fields, ...patch, content: body }
  const heading = await leadingHeading(body, actor)
  const isNew = heading !== null && heading !== (await leadingHeading(before.content, actor))
  return { whole: isNew ? { title: heading, ...whole } : whole, heading }
}

/** Says what becomes of the title with a new text. */
function printTitle(before: string, { whole: { title = before, slug }, heading }: FileEdit, terminal: Terminal): void {
  if (title !== before)
    terminal.note(`The title is now "${title}"; it was "${before}".${slug === undefined ? ' The slug stays.' : ''}`)
  noteHidden(heading, title, terminal)
}

async function readContent(file: string | undefined, patch: PostPatch, terminal: Terminal) {
  if (file !== undefined) return requireStorableText('from-file', await readBody(file, terminal))
  if (Object.keys(patch).length > 0) return undefined
  if (terminal.isInteractive)
    throw new InputError({}, 'Nothing to change: give a flag such as --title, or --from-file PATH for the text.')
  const body = requireStorableText('body', await readBody(undefined, terminal))
  if (body.trim() === '') throw new InputError({}, 'Nothing to change: no flag is given, and stdin is empty.')
  return body
}

export function retitleCommand(components: PostComponents) {
  return command({
    describe: 'Change a title; the slug stays',
    returns: 'Post',
    args: { post_id, title: { type: 'positional', describe: 'The new title', required: true } },
    run: async ({ args, actor, terminal }) => {
      const id = await resolvePost(components.db, args.post_id)
      const title = oneLine(requireStorableText('title', args.title))
      const faults = patchFaults({ title })
      if (Object.keys(faults).length > 0) throw new InputError(faults)
      printOutcome(components, await components.edits.edit(id, { title }, { actor }), id, terminal)
      return readPost(components, id)
    },
    text: post => `${post.slug} is now titled "${post.title}".`
  })
}

/** Says what an edit did to the approval. */
function printOutcome(
  components: Pick<PostComponents, 'scheduler'>,
  { revokedApproval, waitingGate }: EditOutcome,
  id: string,
  terminal: Terminal
): void {
  if (waitingGate !== null)
    terminal.note(`the post waits at ${waitingGate}: what is approved there now is the new content`)
  if (revokedApproval === null) return
  const remedy = approvalRemedy(components, id.slice(0, 8), revokedApproval.published_at)
  terminal.note(`warning: the approval was of the old content: the post waits for approval again; ${remedy}`)
}

/** How a post is approved again that lost its approval, and its slot if it had one. */
function approvalRemedy(
  { scheduler }: Pick<PostComponents, 'scheduler'>,
  post_id: string,
  slot: string | null
): string {
  const lost = slot === null ? '' : `its slot ${slot} was dropped: `
  if (slot !== null && scheduler.isRegistered())
    return `${lost}"gates approve ${post_id} --gate ${defaultGateName}" approves it and gives the slot back while it lies ahead`
  return `${lost}"posts publish ${post_id}" approves and publishes it`
}
