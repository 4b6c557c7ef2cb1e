import { readTextFile } from '#cli'
import { type ArgDefinition, InputError, type Terminal, textFault } from '#core'
import type { PostComponents } from '../components.ts'
import { patchFaults } from '../edits.ts'
import { type Post, postOf } from '../reads/representation.ts'
import { requirePost } from '../reads/require-post.ts'
import { renderText } from '../rendering/render-text.ts'

const maxBodyBytes = 1024 * 1024

export const post_id: ArgDefinition & { type: 'positional'; required: true } = {
  type: 'positional',
  describe: 'Id of the post or of its task, or 8 or more of its first characters',
  required: true
}

export async function readPost({ db, links }: PostComponents, id: string): Promise<Post> {
  return postOf(await requirePost(db, id), links)
}

export async function readBody(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file === undefined || file === '-') {
    if (terminal.isInteractive) terminal.note('Reading the body from the terminal; end it with Ctrl-D.')
    return await terminal.readStdin({ maxBytes: maxBodyBytes, field: 'body' })
  }
  return readTextFile(file, { cwd: terminal.cwd, maxBytes: maxBodyBytes, field: 'from-file' })
}

/** Text the database can keep. */
export function requireStorableText(field: string, text: string): string {
  const fault = textFault(text)
  if (fault !== undefined) throw new InputError({ [field]: fault })
  return text
}

/** The H1 that a text begins with, which readers do not see in it; null for none, and for a text that a post may not have. */
export async function leadingHeading(content: string, actor: string): Promise<string | null> {
  return patchFaults({ content }).content === undefined ? (await renderText(content, actor)).leading_heading : null
}

/** No heading vanishes unnoticed. */
export function noteHidden(heading: string | null, title: string, terminal: Terminal): void {
  if (heading !== null && heading !== title)
    terminal.note(
      `warning: the text begins with the heading "${heading}", which is not shown: the title "${title}" stands there`
    )
}
