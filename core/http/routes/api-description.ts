import type { FastifyInstance, RouteOptions } from 'fastify'
import type { ErrorDefinitions } from '../../contract/error-codes.ts'

/** What the app offers, for a plugin that describes it. Complete once the app is ready. */
export interface ApiDescription {
  /** In the order in which they were added, without the HEAD route beside each GET and without hidden ones. */
  readonly routes: readonly RouteOptions[]
  /** What the groups of routes are about, by tag. */
  readonly tags: Readonly<Record<string, string>>
  /** Every error code there is. */
  readonly errors: ErrorDefinitions
  /** Schemas that plugins refer to by their `$id`. */
  sharedSchemas(): readonly unknown[]
}

declare module 'fastify' {
  interface FastifyInstance {
    apiDescription: ApiDescription
  }
}

/** Collects the routes for `app.apiDescription`. Register before any route. */
export function addApiDescription(
  app: FastifyInstance,
  tags: Readonly<Record<string, string>>,
  errors: ErrorDefinitions
): void {
  const routes: RouteOptions[] = []
  const scopes: FastifyInstance[] = [app]
  app.addHook('onRegister', scope => {
    scopes.push(scope)
  })
  app.addHook('onRoute', route => {
    if (route.method !== 'HEAD' && route.schema?.hide !== true) routes.push(route)
  })
  const sharedSchemas = () => Object.values(Object.assign({}, ...scopes.map(scope => scope.getSchemas())))
  app.decorate('apiDescription', { routes, tags, errors, sharedSchemas })
}
