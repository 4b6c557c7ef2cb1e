import type { IncomingHttpHeaders } from 'node:http'
import { matchesIfNoneMatch } from '#core'
import type { StoredFile } from '#plugins/storage'
import { type ByteRange, byteRange } from './byte-range.ts'

/** How files of a route are sent. */
export interface SendOptions {
  type: string
  cacheControl: string
}

/** Both ends included. */
export interface FilePart {
  start: number
  end: number
}

/** What a request for a file is answered. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string | number>
  /** The bytes to be sent; null for none. */
  part: FilePart | null
}

export function answerFor(
  request: IncomingHttpHeaders,
  file: StoredFile,
  { type, cacheControl }: SendOptions
): FileAnswer {
  const { bytes: size, etag } = file
  const common = {
    etag,
    'last-modified': file.modifiedAt.toUTCString(),
    'cache-control': cacheControl,
    'accept-ranges': 'bytes'
  }
  if (matchesIfNoneMatch(request['if-none-match'] ?? '', etag)) return { status: 304, headers: common, part: null }
  const range = byteRange(rangeHeader(request, file), size)
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...common, 'content-range': `bytes */${size}` }, part: null }
  const { start, end } = partOf(range, size)
  const headers = { ...common, 'content-type': type, 'content-length': end - start + 1 }
  if (range === 'whole') return { status: 200, headers, part: size === 0 ? null : { start, end } }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
    part: { start, end }
  }
}

const partOf = (range: Exclude<ByteRange, 'unsatisfiable'>, size: number): FilePart =>
  range === 'whole' ? { start: 0, end: size - 1 } : range

/** The `Range` header, unless `If-Range` names another state of the file. */
function rangeHeader(headers: IncomingHttpHeaders, file: StoredFile): string | undefined {
  const condition = headers['if-range']
  return condition === undefined || condition === file.etag || isDateOf(file, condition) ? headers.range : undefined
}

/** A file may change twice within the second that a date tells: until that second is over the date says nothing. */
function isDateOf({ modifiedAt }: StoredFile, condition: string | string[]): boolean {
  return condition === modifiedAt.toUTCString() && Date.now() - modifiedAt.getTime() > 2000
}
