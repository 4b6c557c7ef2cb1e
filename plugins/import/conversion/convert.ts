import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import type { Converted } from './html-to-markdown.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./html-to-markdown${path.extname(import.meta.url)}`, import.meta.url)
const convertBounded = bounded<Converted>(module, 'htmlToMarkdown')

/** Of a text, as posts are bounded too. */
export const maxTextBytes = 1_048_576

/** A text cannot become a post. `message` completes its name. */
export class UnusableText extends Error {
  override readonly name = 'UnusableText'
}

/** Markdown of an HTML text, within 1 s and 128 MB. @throws UnusableText, UnavailableError */
export async function convertHtml(html: string): Promise<Converted> {
  requireSize(html)
  try {
    return await convertBounded(html, 'import')
  } catch (error) {
    throw error instanceof LimitError ? new UnusableText(`cannot be converted: it ${error.message}`) : error
  }
}

/** @throws UnusableText for a text that no post can have */
export function requireSize(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxTextBytes) throw new UnusableText(`has ${bytes} bytes; at most ${maxTextBytes} are taken`)
}
