import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messageOf } from '#core'
import { ImageFault } from './image-fault.ts'
import { isPublicAddress } from './public-address.ts'

export const fetchLimits = { maxBytes: 10_485_760, maxRedirects: 5, timeoutMs: 20_000 }

interface FetchOptions {
  signal: AbortSignal
  /** Which IP addresses may be asked; default: those of the public internet. */
  isAllowed?: (address: string) => boolean
}

/**
 * The bytes of a remote picture, of at most 10 MB within 20 s. Only public addresses are asked: a name is resolved once, every
 * address it has is checked, and one of these is connected to. So it is after each redirect.
 * @throws ImageFault; the reason of an aborted signal
 */
export async function fetchImage(
  address: string,
  { signal, isAllowed = isPublicAddress }: FetchOptions
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(fetchLimits.timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  try {
    let url = urlOf(address)
    for (let redirects = 0; redirects <= fetchLimits.maxRedirects; redirects += 1) {
      const response = await send(url, isAllowed, either)
      const next = redirectOf(response, url)
      if (next === null) return await bytesOf(response)
      response.destroy()
      url = next
    }
    throw new ImageFault(`is redirected more than ${fetchLimits.maxRedirects} times`)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ImageFault) throw error
    if (timeout.aborted) throw new ImageFault(`did not come within ${fetchLimits.timeoutMs / 1000} s`)
    throw new ImageFault(`cannot be fetched (${messageOf(error).slice(0, 150)})`)
  }
}

function urlOf(address: string, base?: URL): URL {
  const url = URL.parse(address, base)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ImageFault('has no address of the web')
  if (url.username !== '' || url.password !== '') throw new ImageFault('has a name or a password in its address')
  return url
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, url: URL): URL | null {
  return redirectStatuses.has(statusCode) && location !== undefined ? urlOf(location, url) : null
}

const headers = {
  'user-agent': 'galley',
  accept: 'image/jpeg, image/png, image/webp, image/avif, image/gif',
  'accept-encoding': 'identity'
}

function send(url: URL, isAllowed: (address: string) => boolean, signal: AbortSignal): Promise<IncomingMessage> {
  // An address of digits is connected to without being looked up.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isAllowed(literal)) throw refusal(literal)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // A connection of its own: one that others opened was not checked.
    request(url, { agent: false, headers, signal, lookup: checkedLookup(isAllowed) }, resolve)
      .on('error', reject)
      .end()
  })
}

/** All addresses of a name are checked: each may be the one that is connected to. */
const checkedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const refused = found.find(({ address }) => !isAllowed(address))
      const [first] = found
      if (refused !== undefined || first === undefined) return callback(refusal(refused?.address ?? hostname), '')
      if (options.all === true) callback(null, found)
      else callback(null, first.address, first.family)
    })

const refusal = (address: string): ImageFault => new ImageFault(`is at ${address}, which is no public address`)

async function bytesOf(response: IncomingMessage): Promise<Uint8Array> {
  try {
    const { statusCode, headers: found } = response
    if (statusCode !== 200) throw new ImageFault(`cannot be fetched (its server answered ${statusCode})`)
    if ((found['content-encoding'] ?? 'identity') !== 'identity') throw new ImageFault('is sent compressed')
    if (Number(found['content-length'] ?? 0) > fetchLimits.maxBytes) throw tooLarge()
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response) {
      length += chunk.length
      if (length > fetchLimits.maxBytes) throw tooLarge()
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}

const tooLarge = (): ImageFault => new ImageFault(`has more than ${fetchLimits.maxBytes} bytes`)
