import type { IncomingHttpHeaders } from 'node:http'
import type { FastPath, FastResponse } from '../../contract/access.ts'
import type { Log } from '../../log.ts'

/** A response, and the pattern of the route it is of. */
export interface FoundResponse {
  readonly route: string
  readonly response: FastResponse
}

/** The routes with a fast path of their own. */
export interface FastRoutes {
  add(url: string, fastPath: FastPath): void
  find(url: string, headers: IncomingHttpHeaders): FoundResponse | undefined
}

/** What stands before and after the one parameter of an address; undefined for addresses of another form. */
export function addressPartsOf(url: string): { prefix: string; suffix: string } | undefined {
  const [, prefix, suffix] = /^(\/[^:*]*\/):\w+((?:[.-][^:*/]+)?)$/.exec(url) ?? []
  return prefix === undefined || suffix === undefined ? undefined : { prefix, suffix }
}

/** Without escapes, which the router would decode. */
const parameterPattern = /^[\w.~-]+$/

export function createFastRoutes(log: Pick<Log, 'error'>): FastRoutes {
  const routes: { route: string; prefix: string; suffix: string; fastPath: FastPath }[] = []
  return {
    add(route, fastPath) {
      const parts = addressPartsOf(route)
      if (parts !== undefined) routes.push({ route, ...parts, fastPath })
    },
    find(url, headers) {
      for (const { route, prefix, suffix, fastPath } of routes) {
        if (!url.startsWith(prefix) || !url.endsWith(suffix)) continue
        const parameter = url.slice(prefix.length, url.length - suffix.length)
        const response = parameterPattern.test(parameter)
          ? attempt(route, () => fastPath(parameter, headers))
          : undefined
        if (response !== undefined) return { route, response }
      }
      return undefined
    }
  }

  /** What a plugin throws here would end the process. */
  function attempt(route: string, find: () => FastResponse | undefined): FastResponse | undefined {
    try {
      return find()
    } catch (error) {
      log.error({ err: error, route }, 'a fast path failed, and the handler answers')
      return undefined
    }
  }
}
