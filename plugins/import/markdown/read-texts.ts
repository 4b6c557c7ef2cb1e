import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { boundedMany, LimitError } from '#child-process'
import { messageOf } from '#core'
import { oneLine } from '#text/excerpts'
import { maxTextBytes } from '../conversion/convert.ts'
import type { MarkdownFile } from './read-file.ts'
import { isHtmlFile } from './site/page-path.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./read-file${path.extname(import.meta.url)}`, import.meta.url)
const readMarkdown = boundedMany<MarkdownFile>(module, 'readMarkdownFile')
const readMdx = boundedMany<MarkdownFile>(module, 'readMdxFile')
const readHtml = boundedMany<MarkdownFile>(module, 'readHtmlFile')
const readSettings = boundedMany<Record<string, unknown>>(module, 'readSettingsFile')

/** Why a file cannot be read: `reason` completes its name. */
export class FileFault {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Text and front matter. */
const maxFileBytes = maxTextBytes + 65_536
/** So many are open at once, and share calls of a child process. */
export const textsAtOnce = 32

/** Files of markdown and HTML, by their paths in the folder. Few at once: their texts are in the memory. */
export async function readMarkdownFiles(
  root: string,
  files: readonly string[]
): Promise<Map<string, MarkdownFile | FileFault>> {
  const byReader = Map.groupBy(files, readerOf)
  const found: [string, MarkdownFile | FileFault][] = []
  for (const [read, names] of byReader) found.push(...(await readAll(root, names, { read, inputOf: text => text })))
  return new Map(found)
}

function readerOf(file: string) {
  if (isHtmlFile(file)) return readHtml
  return file.endsWith('.mdx') ? readMdx : readMarkdown
}

/** The fields of files that have nothing else, in YAML, TOML or JSON by their names. */
export const readSettingsFiles = (
  root: string,
  files: readonly string[]
): Promise<Map<string, Record<string, unknown> | FileFault>> =>
  readAll(root, files, { read: readSettings, inputOf: (text, file) => `${path.extname(file)}\n${text}` })

interface Reading<Output> {
  read(inputs: readonly string[], client: string): Promise<(Output | LimitError)[]>
  inputOf(text: string, file: string): string
}

async function readAll<Output>(
  root: string,
  files: readonly string[],
  { read, inputOf }: Reading<Output>
): Promise<Map<string, Output | FileFault>> {
  const found = new Map<string, Output | FileFault>()
  for (let from = 0; from < files.length; from += textsAtOnce) {
    const names = files.slice(from, from + textsAtOnce)
    const texts = await Promise.all(names.map(file => readPlainFile(root, file)))
    const readable = names.flatMap((name, index) => {
      const text = texts[index]
      if (text instanceof FileFault) found.set(name, text)
      return typeof text === 'string' ? [{ name, input: inputOf(text, name) }] : []
    })
    const outputs = await read(
      readable.map(({ input }) => input),
      'import'
    )
    for (const [index, { name }] of readable.entries()) {
      const output = outputs[index]
      if (output instanceof LimitError) found.set(name, new FileFault(oneLineOf(output)))
      else if (output !== undefined) found.set(name, output)
    }
  }
  return found
}

/** A text that is neither markdown nor settings. */
export const readPlainFile = (root: string, file: string): Promise<string | FileFault> =>
  readBounded(path.join(root, file)).catch(faultOf)

/** What is wrong with a file is reported; all else ends the run. */
function faultOf(error: unknown): FileFault {
  if (error instanceof RangeError || isOfSystem(error)) return new FileFault(oneLineOf(error))
  throw error
}

async function readBounded(file: string): Promise<string> {
  // It was no link when it was found.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    if (size > maxFileBytes) throw new RangeError(`has ${size} bytes; at most ${maxFileBytes} are taken`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } catch (error) {
    throw error instanceof TypeError ? new RangeError('is not UTF-8 text: convert it first') : error
  } finally {
    await handle.close()
  }
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error
const oneLineOf = (error: unknown): string => oneLine(messageOf(error))
