import { readTextFile } from '#cli'
import { type ArgDefinition, InputError, type Terminal, textFault } from '#core'
import type { PostComponents } from '../components.ts'
import { type Post, postOf } from '../reads/representation.ts'
import { requirePost } from '../reads/require-post.ts'

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
