import type { StoredFile } from '#plugins/storage'
import { byteRange } from './byte-range.ts'
import { evaluate, type FileRequest, isRangeOf } from './preconditions.ts'

/** How files of a route are sent. */
export interface SendOptions {
  type: string
  cacheControl: string
  /** The name under which browsers save it; absent, they take that of the address. */
  filename?: string | undefined
}

/** Both ends included. */
export interface FilePart {
  start: number
  end: number
}

/** What a request for a file is answered. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 412 | 416
  headers: Record<string, string | number>
  /** The bytes to be sent; null for none. */
  part: FilePart | null
}

/** To the letter of RFC 9110: the conditions first, then the range, which only GET has (§14.2). */
export function answerFor(request: FileRequest, file: StoredFile, options: SendOptions): FileAnswer {
  const { bytes: size } = file
  const conditions = evaluate(request, file)
  // The headers of the file would let caches store the refusal.
  if (conditions === 'failed') return { status: 412, headers: {}, part: null }
  if (conditions === 'not modified') return { status: 304, headers: validatorsOf(file, options), part: null }
  const header = request.method === 'GET' && isRangeOf(request, file) ? request.headers.range : undefined
  const range = byteRange(header, size)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` }, part: null }
  const headers = validatorsOf(file, options)
  headers['content-type'] = options.type
  if (range === 'whole') {
    headers['content-length'] = size
    // Who saves a file asks for the whole of it first. A header less matters for the many ranges of a player.
    if (options.filename !== undefined) headers['content-disposition'] = `inline; filename="${options.filename}"`
    return { status: 200, headers, part: size === 0 ? null : { start: 0, end: size - 1 } }
  }
  headers['content-length'] = range.end - range.start + 1
  headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  return { status: 206, headers, part: range }
}

const validatorsOf = (file: StoredFile, { cacheControl }: SendOptions): FileAnswer['headers'] => ({
  etag: file.etag,
  'last-modified': lastModifiedOf(file),
  'cache-control': cacheControl,
  'accept-ranges': 'bytes'
})

/** Writing a date takes as long as all the rest of an answer. */
const datesWritten = new WeakMap<StoredFile, string>()

function lastModifiedOf(file: StoredFile): string {
  const known = datesWritten.get(file)
  if (known !== undefined) return known
  const date = file.modifiedAt.toUTCString()
  datesWritten.set(file, date)
  return date
}
