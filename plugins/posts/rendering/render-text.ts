import path from 'node:path'
import { bounded, boundedMany, LimitError } from '#child-process'
import { InputError } from '#core'
import type { Rendered } from '../contract/rendered.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./render${path.extname(import.meta.url)}`, import.meta.url)
const renderBounded = bounded<Rendered>(module, 'renderInProportion')
const renderBoundedMany = boundedMany<Rendered>(module, 'renderInProportion')

/** Of markdown, as `posts create` reads it and the body limit of HTTP lets it in. */
const maxTextBytes = 1_048_576

/**
 * Renders a post's markdown, which anybody may have written, in bounds of time, memory and length. `client` is whoever brings it.
 * @throws InputError for `content` that passes them, UnavailableError when too many texts wait.
 */
export async function renderText(content: string, client: string): Promise<Rendered> {
  const fault = sizeFault(content)
  if (fault !== null) throw fault
  try {
    return await renderBounded(content, client)
  } catch (error) {
    throw error instanceof LimitError ? renderFault(error) : error
  }
}

/** The same for many texts. One that passes the bounds has its error in its place. @throws UnavailableError */
export async function renderTexts(contents: readonly string[], client: string): Promise<(Rendered | InputError)[]> {
  const faults = contents.map(sizeFault)
  const fitting = contents.filter((_, index) => faults[index] === null)
  const rendered = (await renderBoundedMany(fitting, client)).values()
  return faults.map(fault => {
    const each = fault ?? rendered.next().value
    if (each === undefined) throw new TypeError('A text was not rendered.')
    return each instanceof LimitError ? renderFault(each) : each
  })
}

function sizeFault(content: string): InputError | null {
  const bytes = Buffer.byteLength(content)
  if (bytes <= maxTextBytes) return null
  return new InputError({ content: `has ${bytes} bytes; at most ${maxTextBytes} are taken` })
}

const renderFault = ({ message }: LimitError): InputError =>
  new InputError({ content: `cannot be rendered: it ${message}. Make it shorter or simpler` })
