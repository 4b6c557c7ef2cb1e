import type { FastifyInstance } from 'fastify'
import type { Changes } from '../../contract/changes.ts'
import type { ResponseCacheStats } from '../telemetry.ts'
import { createFastPath, type FastPathDeps, type Respond } from './fast-path.ts'
import { createFastRoutes } from './fast-routes.ts'
import { addCacheHooks } from './fastify-hooks.ts'
import { createResponseStore } from './response-store.ts'
import { createSharedCaches } from './shared-caches.ts'

/** Responses to anonymous readers, cached by URL until a tag that they depend on changes. */
export interface ResponseCache {
  /** Answers before Fastify sees the request where that may be, and else calls `next`. */
  readonly respond: Respond
  /** Serves and stores what goes through Fastify. Gives every public read its `ETag`, and 304 to who has it. */
  addTo(app: FastifyInstance): void
  /** Removes what depends on a tag. */
  invalidate(tag: string): void
  stats(): ResponseCacheStats
}

interface ResponseCacheDeps extends FastPathDeps {
  changes: Changes
  now(): Date
}

export function createResponseCache(deps: ResponseCacheDeps): ResponseCache {
  const { changes, settings, now } = deps
  const store = createResponseStore({ changes, now, maxBytes: () => settings.get('http_cache_mb') * 1_048_576 })
  const routes = createFastRoutes(deps.log)
  const counts = { hits: 0, misses: 0 }
  return {
    respond: createFastPath(store, routes, { ...deps, counts }),
    addTo: app => {
      app.addHook('onRoute', ({ method, url, config }) => {
        const { fastPath, cors } = config ?? {}
        if (method === 'GET' && fastPath !== undefined) routes.add(url, { fastPath, cors })
      })
      addCacheHooks(app, { store, counts, shared: createSharedCaches(settings) })
    },
    invalidate: store.invalidate,
    stats: () => ({ ...counts, ...store.size() })
  }
}
