import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError, InputError, UnavailableError } from '../contract/errors.ts'
import { hasTooMany } from './sockets.ts'

/** What RFC 9112 §3.2 wants of the Host header and the request has not; the parser itself drops a second one. */
export function hostFault({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? 'is required: every HTTP/1.1 request has it' : undefined
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1 ? 'is given more than once' : undefined
}

/** What cannot be decoded would be looked for as it stands, and nothing found. */
function queryFault(url: string): string | undefined {
  const from = url.indexOf('?')
  if (from === -1 || !url.includes('%', from)) return undefined
  try {
    decodeURIComponent(url.slice(from))
    return undefined
  } catch {
    return 'is not well-formed: check its percent escapes, which are of UTF-8'
  }
}

/** What a header asks of us that no route can do. */
function headerFault({ expect, 'content-encoding': encoding }: IncomingHttpHeaders): AppError | undefined {
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new AppError(
      'EXPECTATION_FAILED',
      `The expectation ${JSON.stringify(expect.slice(0, 100))} cannot be met: leave the header Expect out, or send 100-continue.`
    )
  }
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `A body with the Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not accepted: send it uncompressed.`
  )
}

/** What is wrong with a request whatever its route is. */
export function requestFault(request: FastifyRequest): AppError | undefined {
  if (hasTooMany(request.raw.socket))
    return new UnavailableError('This connection has sent too many requests at once: read the answers first.')
  const host = hostFault(request.raw)
  if (host !== undefined) return new InputError({ host })
  const query = queryFault(request.url)
  return query === undefined ? headerFault(request.headers) : new InputError({ query })
}
