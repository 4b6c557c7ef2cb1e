import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { SaxesParser } from 'saxes'
import { createItemWriter } from '../staging/item-writer.ts'
import type { StageRequest, StageSummary } from '../staging/stage.ts'
import { createExportReader } from './export-reader.ts'

/** What XML does not allow and exports have nevertheless. */
const notAllowed = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

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
    throw new SyntaxError(`it is no XML (${error.message})`)
  })
  const decoder = new TextDecoder('utf-8')
  let done = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 })) {
    const text = decoder.decode(chunk, { stream: true }).replace(notAllowed, '')
    parser.write(text)
    done += chunk.length
    onProgress(done / size)
  }
  parser.close()
  return reader.end()
}

/** A file's own entities can become texts without an end, or name other files. No export has such entities. */
function refuseEntities(doctype: string): void {
  if (/<!ENTITY/i.test(doctype)) throw new SyntaxError('it declares entities, which no export of WordPress does')
}
