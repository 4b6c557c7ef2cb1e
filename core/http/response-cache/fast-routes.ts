import type { FastPath, FastResponse } from '../../contract/access.ts'
import type { Log } from '../../log.ts'
import { STATUS_CODES, validateHeaderValue } from '../node-http.ts'
import { cachedHeaderLines, headerLines } from './head.ts'

/** A response, and the pattern of the route it is of. */
export interface FoundResponse {
  readonly route: string
  readonly response: FastResponse
  /** Its headers as they are sent, but for the length of the body and those that every response has. */
  readonly lines: string
  readonly length: string | number | undefined
  /** Pages of every origin may read it. */
  readonly isForAnyOrigin: boolean
}

/** The routes with a fast path of their own. */
export interface FastRoutes {
  add(url: string, config: { fastPath: FastPath; cors?: 'any' | undefined }): void
  /** False where no route begins with the same letter. */
  mayMatch(url: string): boolean
  /** `dependsOnOrigin`: only a route whose responses every origin gets can answer. */
  find(url: string, request: Parameters<FastPath>[1], dependsOnOrigin: boolean): FoundResponse | undefined
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
  const initials = new Set<number>()
  return {
    mayMatch: url => initials.has(url.charCodeAt(1)),
    add(route, { fastPath, cors }) {
      const parts = addressPartsOf(route)
      if (parts === undefined) return
      routes.push({ route, ...parts, fastPath, isForAnyOrigin: cors === 'any' })
      initials.add(route.charCodeAt(1))
    },
    find(url, request, dependsOnOrigin) {
      for (const { route, prefix, suffix, fastPath, isForAnyOrigin } of routes) {
        if (dependsOnOrigin && !isForAnyOrigin) continue
        if (!url.startsWith(prefix) || !url.endsWith(suffix)) continue
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
  if (STATUS_CODES[status] === undefined) throw new RangeError(`${status} is no status of HTTP.`)
  const length = (ownHeaders ?? headers)['content-length']
  validateHeaderValue('content-length', String(length))
  return { lines: cachedHeaderLines(headers) + headerLines(ownHeaders), length }
}
