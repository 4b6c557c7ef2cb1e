import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { type Access, access as accesses, allScopes, type RouteCost, routeCosts } from '../../contract/access.ts'
import { type BootProblem, duplicateOf } from '../../contract/boot-error.ts'
import { readStrictly } from '../input/strict-input.ts'
import type { RouteShare } from '../load/route-share.ts'
import { addressPartsOf } from '../response-cache/fast-routes.ts'
import type { AllowedMethods } from './allowed-methods.ts'

export interface RouteRules {
  readonly problems: BootProblem[]
  /** Applies the rules to every route registered in `scope` from now on. */
  applyTo(scope: FastifyInstance, plugin: string): void
  /** Adds the faults of a route to the problems, once for a GET route and its HEAD route. */
  report(
    plugin: string,
    route: { method: string | string[]; url: string },
    found: readonly Omit<BootProblem, 'plugin'>[]
  ): void
  /** The plugin that brings a route. */
  ownerOf(method: string, url: string): string | undefined
}

interface RouteRulesDeps {
  allowed: AllowedMethods
  share: RouteShare
  onRoute?: ((plugin: string, route: string) => void) | undefined
}

/** Of a body from anybody, unless its route says otherwise: a form, or as much in JSON. */
const anonymousBodyBytes = 16_384

/** What holds for every route: it states its access, takes no unknown input, and its responses are cached only when all may read them. */
export function createRouteRules({ allowed, share, onRoute }: RouteRulesDeps): RouteRules {
  const problems: BootProblem[] = []
  const owners = new Map<string, string>()
  const operations = new Map<string, string>()
  const faultyUrls = new Set<string>()
  const report: RouteRules['report'] = (plugin, { method, url }, found) => {
    // Fastify adds a HEAD route beside each GET route, with the same faults.
    if (found.length === 0 || (method === 'HEAD' && faultyUrls.has(url))) return
    faultyUrls.add(url)
    problems.push(...found.map(problem => ({ plugin, ...problem })))
  }
  return {
    problems,
    report,
    ownerOf: (method, url) => owners.get(`${method === 'HEAD' ? 'GET' : method} ${url}`),
    applyTo(scope, plugin) {
      scope.addHook('onRoute', route => {
        recordOwner(owners, route, plugin)
        problems.push(...operationProblems(operations, route, plugin))
        for (const method of [route.method].flat()) allowed.add(method, route.url)
        report(plugin, route, problemsOf(route))
        if (route.method !== 'HEAD') onRoute?.(plugin, nameOf(route))
        const bodyLimit = route.config?.bodyLimit ?? route.bodyLimit
        if (bodyLimit !== undefined) route.bodyLimit = bodyLimit
        else if (route.config?.access?.kind === 'public') route.bodyLimit = anonymousBodyBytes
        readStrictly(route)
        share.applyTo(route)
      })
    }
  }
}

/** Notes who brings a route. @throws Error when another plugin has it. */
function recordOwner(owners: Map<string, string>, route: RouteOptions, plugin: string): void {
  for (const method of methodsOf(route)) {
    const name = `${method} ${route.url}`
    const first = owners.get(name)
    if (first !== undefined) throw new Error(`the route ${name} is already brought by ${first}`)
    owners.set(name, plugin)
  }
}

/** Generated clients name their functions after operations: of two equal names they would lose one. */
function operationProblems(
  operations: Map<string, string>,
  { method, schema }: RouteOptions,
  plugin: string
): BootProblem[] {
  const id = schema?.operationId
  if (id === undefined || schema?.hide === true || method === 'HEAD') return []
  const first = operations.get(id)
  if (first !== undefined) return [duplicateOf(plugin, 'operationId', id, first)]
  operations.set(id, plugin)
  return []
}

const { optional, bearer, ...others } = accesses
const allAccesses = [...Object.values(others), ...allScopes.flatMap(scope => [optional(scope), bearer(scope)])]

const nameOf = ({ method, url }: RouteOptions): string => `${[method].flat().join(', ')} ${url}`

/** Without HEAD: such a route stands beside each GET. */
const methodsOf = ({ method }: RouteOptions): string[] => [method].flat().filter(each => each !== 'HEAD')

function problemsOf(route: RouteOptions): Omit<BootProblem, 'plugin'>[] {
  const name = nameOf(route)
  const access = route.config?.access
  const problems = addressProblems(route.url)
  if (access === undefined || !allAccesses.some(known => isDeepStrictEqual(known, access))) {
    problems.push({
      cause: `the route ${name} does not state who may use it${access === undefined ? '' : `: ${JSON.stringify(access)}`}`,
      remedy: "Give it config: { access: access.public } or access.bearer('api:read')."
    })
    return problems
  }
  problems.push(...costProblems(name, route.config?.cost))
  if (route.config?.fastPath !== undefined) problems.push(...fastPathProblems(route.url, name, access))
  if (route.config?.cache !== undefined && !mayBeCached(access)) {
    problems.push({
      cause: `the responses of ${name} are to be cached for anonymous readers, and it has none`,
      remedy: 'Remove config.cache, or make the route public.'
    })
  }
  if (route.schema?.hide !== true && route.schema?.operationId === undefined) {
    problems.push({
      cause: `the route ${name} has no schema.operationId`,
      remedy: 'Name it as clients shall call it, such as listPosts, or set schema.hide.'
    })
  }
  return problems
}

/** An unknown one would have no limit. */
function costProblems(name: string, cost: RouteCost | undefined): Omit<BootProblem, 'plugin'>[] {
  if (cost === undefined || routeCosts.includes(cost)) return []
  const cause = `the route ${name} has the unknown cost ${JSON.stringify(cost)}`
  return [{ cause, remedy: `Give config.cost one of ${routeCosts.join(', ')}, or leave it out.` }]
}

function fastPathProblems(url: string, name: string, access: Access): Omit<BootProblem, 'plugin'>[] {
  const cause = `the route ${name} cannot have a fast path`
  if (access.kind !== 'public') return [{ cause, remedy: 'Remove config.fastPath, or make the route public.' }]
  if (addressPartsOf(url) !== undefined) return []
  return [{ cause, remedy: 'Give its address one parameter, in its last segment, such as /files/:name.mp3.' }]
}

function addressProblems(url: string): Omit<BootProblem, 'plugin'>[] {
  if (/^\/?\*/.test(url)) {
    const remedy = 'Give it a path of its own, such as /api/opening-hours/*.'
    return [{ cause: `its route ${url} takes every address that no other has`, remedy }]
  }
  if (url === '/' || !url.endsWith('/')) return []
  // Of '/' under a prefix Fastify makes both forms: the document would show the one with the slash.
  return [{ cause: `its route ${url} ends in a slash`, remedy: "Leave it out; under a prefix, write '' for '/'." }]
}

const mayBeCached = ({ kind }: Access): boolean => kind === 'public' || kind === 'optional'
