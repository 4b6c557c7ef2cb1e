import type { ByteRange, StoredFile } from '#plugins/storage'
import { byteRange } from './byte-range.ts'
import { evaluate, type FileRequest, isRangeOf } from './preconditions.ts'

/** How files of a route are sent. */
export interface SendOptions {
  type: string
  cacheControl: string
  /** The name under which browsers save it; absent, they take that of the address. */
  filename?: string | undefined
}

/** What a request for a file is answered. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 412 | 416
  /** The same object for each answer with the file. */
  headers: Readonly<Record<string, string>>
  /** Those of this answer. */
  ownHeaders: Record<string, string | number>
  /** The bytes to be sent; null for none. */
  range: ByteRange | null
}

/** To the letter of RFC 9110: the conditions first, then the range, which only GET has (§14.2). */
export function answerFor(request: FileRequest, file: StoredFile, options: SendOptions): FileAnswer {
  const { bytes: size } = file
  const conditions = evaluate(request, file)
  // The headers of the file would let caches store the refusal.
  if (conditions === 'failed') return { status: 412, headers: {}, ownHeaders: {}, range: null }
  if (conditions === 'not modified')
    return { status: 304, headers: headersOf(file, options).validators, ownHeaders: {}, range: null }
  const header = request.method === 'GET' && isRangeOf(request, file) ? request.headers.range : undefined
  const range = byteRange(header, size)
  if (range === 'unsatisfiable') {
    const ownHeaders = { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` }
    return { status: 416, headers: {}, ownHeaders, range: null }
  }
  const headers = headersOf(file, options).all
  if (range === 'whole') {
    const ownHeaders: FileAnswer['ownHeaders'] = { 'content-length': size }
    // Who saves a file asks for the whole of it first. A header less matters for the many ranges of a player.
    if (options.filename !== undefined) ownHeaders['content-disposition'] = `inline; filename="${options.filename}"`
    return { status: 200, headers, ownHeaders, range: size === 0 ? null : { start: 0, end: size - 1 } }
  }
  const ownHeaders = {
    'content-length': range.end - range.start + 1,
    'content-range': `bytes ${range.start}-${range.end}/${size}`
  }
  return { status: 206, headers, ownHeaders, range }
}

/**
 * A browser that opens the address of a sound or a film makes a page with a player of it. The policy of every answer would not
 * let that page load its own file.
 */
const playerHeaders = {
  'content-security-policy':
    "default-src 'none'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
const isPlayed = (type: string): boolean => /^(audio|video)\//.test(type)

interface FileHeaders {
  options: Pick<SendOptions, 'type' | 'cacheControl'>
  validators: FileAnswer['headers']
  all: FileAnswer['headers']
}

/** Writing the date takes as long as all the rest of an answer. */
const headersByFile = new WeakMap<StoredFile, FileHeaders>()

function headersOf(file: StoredFile, { type, cacheControl }: SendOptions): FileHeaders {
  const present = headersByFile.get(file)
  if (present?.options.type === type && present.options.cacheControl === cacheControl) return present
  const validators = {
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
    'cache-control': cacheControl,
    'accept-ranges': 'bytes',
    ...(isPlayed(type) ? playerHeaders : {})
  }
  const made = { options: { type, cacheControl }, validators, all: { ...validators, 'content-type': type } }
  headersByFile.set(file, made)
  return made
}
