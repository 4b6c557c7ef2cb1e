import type { FastifyInstance } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import type { FormerAddresses } from '../../contract/former-addresses.ts'
import { nothingAt } from '../errors/error-handler.ts'
import { prefersHtml } from '../errors/prefers-html.ts'
import type { AllowedMethods } from './allowed-methods.ts'

/**
 * Before the body is read, which an unknown path does not need. After the rate limit, so that guessing paths counts. What a
 * path used to lead to is asked for first. A browser is led on where a slash is too much, as in addresses of other software.
 */
export function addNoRoute(app: FastifyInstance, allowed: AllowedMethods, former: FormerAddresses | undefined): void {
  // For a route that finds nothing to send, such as a file of the API page.
  app.setNotFoundHandler(request => {
    throw nothingAt(request.url, adviceFor(allowed, request.url))
  })
  if (former !== undefined) addFormerAddresses(app, allowed, former)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && !hasEmptyLastPart(request.url, request.routeOptions.url)) return done()
    const [path = ''] = request.url.split('?', 1)
    const isBrowser = ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept)
    const meant = isBrowser ? withoutSlash(allowed, path) : undefined
    if (meant !== undefined && allowed.at(meant).includes('GET'))
      reply.header('cache-control', 'no-cache').redirect(meant + request.url.slice(path.length), 301)
    else done(noRoute(allowed, { method: request.method, path }, reply))
  })
}

function addFormerAddresses(app: FastifyInstance, allowed: AllowedMethods, former: FormerAddresses): void {
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (!request.is404 || !['GET', 'HEAD'].includes(request.method) || allowed.at(path).length > 0) return
    const address = await former.find(request.url)
    // Another import may lead it somewhere else: it must be asked for again.
    if (address !== null) return reply.header('cache-control', 'no-cache').redirect(address, 301)
  })
}

function noRoute(
  allowed: AllowedMethods,
  { method, path }: { method: string; path: string },
  reply: { header(name: string, value: string): unknown }
): AppError {
  const methods = allowed.at(path)
  if (methods.length === 0) return nothingAt(path, adviceFor(allowed, path))
  reply.header('allow', methods.join(', '))
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${method} is not possible at ${path}: ${methods.join(', ')} ${methods.length === 1 ? 'is' : 'are'}.`
  )
}

/** The router takes `/posts/` for `/posts/:slug` with an empty slug. */
function hasEmptyLastPart(url: string, pattern = ''): boolean {
  return url.split('?', 1)[0]?.endsWith('/') === true && !/[/*]$/.test(pattern)
}

function adviceFor(allowed: AllowedMethods, path: string): string {
  const corrected = withoutSlash(allowed, path)
  if (corrected !== undefined) return `the address is ${corrected}`
  return allowed.at('/docs').length > 0 ? 'see /docs for what there is' : 'check the address'
}

/** The address that was meant where only a slash at the end is too much. */
function withoutSlash(allowed: AllowedMethods, path: string): string | undefined {
  const [, shorter = ''] = /^(\/(?:[^/\\].*)?[^/\\])\/+$/.exec(path) ?? []
  return allowed.at(shorter).length === 0 ? undefined : shorter
}
