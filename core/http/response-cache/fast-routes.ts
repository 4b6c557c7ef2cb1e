import type { FastPath, FastResponse } from '../../contract/access.ts'
import type { Log } from '../../log.ts'
import { STATUS_CODES, validateHeaderValue } from '../node-http.ts'
import { cachedHeaderLines, headerLines } from './head.ts'

/** A response, and the pattern of the route it is of. */
export interface FoundResponse {
  readonly route: string
  readonly response: FastResponse
  /** Its headers as they are sent, but for the length of the body and those that every origin gets. */
  readonly lines: string
  readonly length: string | number | undefined
  /** Pages of every origin may read it. */
  readonly isForAnyOrigin: boolean
}

type FastRequest = Parameters<FastPath>[1]

/** The routes with a fast path of their own. */
export interface FastRoutes {
  add(url: string, config: { fastPath: FastPath; cors?: 'any' | undefined }): void
  /** Where `dependsOnOrigin` is true, only a route whose responses every origin gets can answer. */
  find(url: string, request: FastRequest, dependsOnOrigin: (request: FastRequest) => boolean): FoundResponse | undefined
}

/** What stands before and after the one parameter of an address; undefined for addresses of another form. */
export function addressPartsOf(url: string): { prefix: string; suffix: string } | undefined {
  const [, prefix, suffix] = /^(\/[^:*]*\/):\w+((?:[.-][^:*/]+)?)$/.exec(url) ?? []
  return prefix === undefined || suffix === undefined ? undefined : { prefix, suffix }
}

/** Without escapes, which the router would decode. */
const parameterPattern = /^[\w.~-]+$/

export function createFastRoutes(log: Pick<Log, 'error'>): FastRoutes {
  const routes: (Pick<FoundResponse, 'route' | 'isForAnyOrigin'> & {
    prefix: string
    suffix: string
    fastPath: FastPath
  })[] = []
  return {
    add(route, { fastPath, cors }) {
      const parts = addressPartsOf(route)
      if (parts !== undefined) routes.push({ route, ...parts, fastPath, isForAnyOrigin: cors === 'any' })
    },
    find(url, request, dependsOnOrigin) {
      for (const { route, prefix, suffix, fastPath, isForAnyOrigin } of routes) {
        if (!url.startsWith(prefix) || !url.endsWith(suffix)) continue
        if (!isForAnyOrigin && dependsOnOrigin(request)) continue
        const parameter = url.slice(prefix.length, url.length - suffix.length)
        if (!parameterPattern.test(parameter)) continue
        // What a plugin throws here, or a header that is none, would end the process.
        try {
          const response = fastPath(parameter, request)
          if (response !== undefined) return { route, response, ...headOf(response), isForAnyOrigin }
        } catch (error) {
          log.error({ err: error, route }, 'a fast path failed, and the handler answers')
        }
      }
      return undefined
    }
  }
}

function headOf({ status, headers, ownHeaders }: FastResponse): Pick<FoundResponse, 'lines' | 'length'> {
  if (STATUS_CODES[status] === undefined) throw new RangeError(`Give a status that HTTP has, not ${status}.`)
  const length = ownHeaders?.['content-length'] ?? headers['content-length']
  validateHeaderValue('content-length', String(length))
  return { lines: cachedHeaderLines(headers) + headerLines(ownHeaders), length }
}
