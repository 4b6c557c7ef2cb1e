import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import { InputError } from '#core'
import type { Rendered } from './render.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./render${path.extname(import.meta.url)}`, import.meta.url)
const renderBounded = bounded<Rendered>(module, 'renderInProportion')

/** Of markdown, as `posts create` reads it and the body limit of HTTP lets it in. */
const maxTextBytes = 1_048_576

/**
 * Renders a post's markdown, which anybody may have written, in bounds of time, memory and length. `client` is whoever brings it.
 * @throws InputError for `content` that passes them, UnavailableError when too many texts wait.
 */
export async function renderText(content: string, client: string): Promise<Rendered> {
  const bytes = Buffer.byteLength(content)
  if (bytes > maxTextBytes) throw new InputError({ content: `has ${bytes} bytes; at most ${maxTextBytes} are taken` })
  try {
    return await renderBounded(content, client)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    throw new InputError({ content: `cannot be rendered: it ${error.message}. Make it shorter or simpler` })
  }
}
