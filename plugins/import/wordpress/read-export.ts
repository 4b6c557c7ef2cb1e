import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { SaxesParser } from 'saxes'
import { createItemWriter } from '../staging/item-writer.ts'
import type { StageRequest, StageSummary } from '../staging/stage.ts'
import { createExportReader } from './export-reader.ts'

/** What XML does not allow and exports have nevertheless. */
const notAllowed = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const advice = 'take the file that WordPress writes under Tools, Export'

/**
 * Reads an export of WordPress (WXR), however large it is: one post is in memory. Runs in a process of its own.
 * @throws Error for what is no such export
 */
export async function readWordpressExport(
  { file, target }: StageRequest,
  onProgress: (share: number) => void
): Promise<StageSummary> {
  const { size } = await stat(file)
  const writer = createItemWriter(target)
  const reader = createExportReader(writer)
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', text => refuseEntities(text))
  parser.on('opentag', tag => reader.open(tag.name, tag.attributes))
  parser.on('closetag', () => reader.close())
  parser.on('text', reader.text)
  parser.on('cdata', reader.text)
  parser.on('error', error => {
    throw new SyntaxError(`it is no XML (${error.message}): ${advice}`)
  })
  const decoder = await decoderOf(file)
  let hasBegun = false
  let done = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 })) {
    const text = decoder.decode(chunk, { stream: true }).replace(notAllowed, '')
    // Before the declaration XML allows nothing. Plugins of WordPress print empty lines there.
    const next: string = hasBegun ? text : text.replace(/^[\s\ufeff]+/, '')
    hasBegun ||= next !== ''
    parser.write(next)
    done += chunk.length
    onProgress(done / size)
  }
  parser.close()
  return reader.end()
}

/** By the mark at its beginning, or as its first line says: WordPress writes UTF-8, and other programs what they like. */
async function decoderOf(file: string): Promise<TextDecoder> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    const start = buffer.toString('latin1', 0, bytesRead)
    const [, stated = 'utf-8'] = /^[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start) ?? []
    const label = start.startsWith('\xff\xfe') ? 'utf-16le' : start.startsWith('\xfe\xff') ? 'utf-16be' : stated
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError)
      throw new TypeError('nobody knows the encoding that it states: convert it to UTF-8')
    throw error
  } finally {
    await handle.close()
  }
}

/** A file's own entities can become texts without an end, or name other files. No export has such entities. */
function refuseEntities(doctype: string): void {
  if (/<!ENTITY/i.test(doctype)) throw new SyntaxError('it declares entities, which no export of WordPress does')
}
