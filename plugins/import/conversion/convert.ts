import path from 'node:path'
import { boundedMany, LimitError } from '#child-process'
import type { Converted } from './html-to-markdown.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./html-to-markdown${path.extname(import.meta.url)}`, import.meta.url)
const convertBounded = boundedMany<Converted>(module, 'htmlToMarkdown')

/** Of a text, as posts are bounded too. */
export const maxTextBytes = 1_048_576

/** A text cannot become a post. `message` completes its name. */
export class UnusableText extends Error {
  override readonly name = 'UnusableText'
}

/**
 * Markdown of HTML texts, each within 1 s and 128 MB; in the place of one that passes them is why. `client` is whoever
 * asks: each has one call at work. @throws UnavailableError
 */
export async function convertHtml(texts: readonly string[], client: string): Promise<(Converted | UnusableText)[]> {
  const converted = await convertBounded(texts, client)
  return converted.map(each =>
    each instanceof LimitError ? new UnusableText(`cannot be converted: it ${each.message}`) : each
  )
}

/** Why no post can have a text; null when one can. */
export function sizeFault(text: string): UnusableText | null {
  const bytes = Buffer.byteLength(text)
  return bytes <= maxTextBytes ? null : new UnusableText(`has ${bytes} bytes; at most ${maxTextBytes} are taken`)
}
