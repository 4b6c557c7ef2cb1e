import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from './error-codes.ts'
import { AppError } from './errors.ts'
import { service } from './services.ts'

/** What a token may do. `api:admin` changes settings of the operator's machine. Only clients that were registered with it have it. */
export const allScopes = ['api:read', 'api:write', 'api:admin'] as const
export type Scope = (typeof allScopes)[number]

/** Who a request comes from: an OAuth client and what it may do. */
export interface Principal {
  readonly client_id: string
  readonly scopes: ReadonlySet<string>
}

/** Checks bearer tokens. Provided by exactly one plugin; without one no server starts. */
export interface Authenticator {
  /**
   * `isForwarded`: it came through a proxy, so that its peer is not who sent it. `host`: where it was sent to.
   * @throws AuthError when the token is not one this service issued, has expired or was revoked.
   */
  authenticate(token: string, request?: { isForwarded: boolean; host?: string }): Promise<Principal>
  /** What a client without a token should do: the end of the sentence "A valid bearer token is required: ". */
  readonly remedy: string
}
export const AuthenticatorService = service<Authenticator>('core.authenticator')

/** Who may use a route. Every route states one in `config.access`; a route without it fails the boot. */
export type Access =
  | { readonly kind: 'public' }
  /** Anonymous, or a bearer with the scope: a bad token is refused, never ignored. */
  | { readonly kind: 'optional'; readonly scope: Scope }
  | { readonly kind: 'bearer'; readonly scope: Scope }
  /** The handler verifies a signature over the raw body. */
  | { readonly kind: 'signed' }
  /** The handler verifies the preview token in the path. */
  | { readonly kind: 'preview' }

/** For `config.access` of a route: `access.public`, `access.bearer('api:write')`. */
export const access = {
  public: { kind: 'public' },
  signed: { kind: 'signed' },
  preview: { kind: 'preview' },
  optional: (scope: Scope = 'api:read'): Access => ({ kind: 'optional', scope }),
  bearer: (scope: Scope): Access => ({ kind: 'bearer', scope })
} as const satisfies Record<string, Access | ((scope: Scope) => Access)>

/** Responses of this route to anonymous readers are cached until one of the cache tags `tags` changes. */
export interface CacheRule {
  readonly tags: readonly string[]
  /** The moment a cached response expires by itself, such as the next publish slot; null when it does not. */
  readonly until?: () => Date | null
  /** Finds out what `until` has to know, before anything else is read; undefined when it is known. */
  readonly prepare?: () => Promise<void> | undefined
  /** For URLs that most often are requested once: a response is cached from the second request on. */
  readonly isCachedOnRepeat?: boolean
  /** The query changes nothing, such as what directories and counters add: all addresses with the same path are one response. */
  readonly ignoresQuery?: boolean
}

/** A response of a fast path. The headers that every response has are added to it. */
export interface FastResponse {
  readonly status: number
  /**
   * In lower case, beside those that every response has and these may replace. It is checked once and frozen: where many responses
   * have the same headers, give the same object.
   */
  readonly headers: Readonly<Record<string, string | number>>
  /** Headers of this response alone, such as its length. None of them is in `headers`. */
  readonly ownHeaders?: Readonly<Record<string, string | number>>
  /** Not asked for by HEAD. One that cannot be read leaves the request to the handler. */
  readonly body?: Buffer | (() => Promise<Buffer>)
  /** The system has taken the body: its memory may be used again. Not called when the reader went before, nor after HEAD. */
  readonly onSent?: () => void
}

/**
 * Answers a GET or HEAD without a token before Fastify sees it, as the handler would; undefined leaves it to the handler. It is given
 * the parameter of the path, which has no escapes, and the request. It does no I/O, and must know by itself, such as
 * by a cache tag, that its answer still holds. Rate limits, CORS for single origins and logs of each request go without it.
 */
export type FastPath = (
  parameter: string,
  request: Pick<IncomingMessage, 'method' | 'headers'>
) => FastResponse | undefined

/** What the API document says of a route beside what follows from its access, its method and its schema. */
interface RouteDocumentation {
  /** Refusals of its own, beside what its schema has for these statuses. */
  readonly errors?: readonly ErrorCode[]
  /** It reads `If-Match`, sends an `ETag`, and refuses with `PRECONDITION_FAILED`. */
  readonly checksIfMatch?: boolean
  /** It sends files in ranges, and refuses with `RANGE_NOT_SATISFIABLE`. */
  readonly sendsRanges?: boolean
  /** Request headers it reads, with what they mean. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** Headers of its successful responses, with what they mean. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** True for a public read whose responses must not be stored: they have no `ETag`. */
  readonly isNeverStored?: boolean
}

/**
 * What a request costs, so that no route takes more than its share. A GET uses the connections for reads, any other request
 * those for decisions and jobs; a `light` POST uses those for reads. Of `heavy` routes a few requests run at once, each with
 * one connection at most. The others wait a second, then they get 503. `scan` has connections of its own, so
 * that what looks through much does not wait for `heavy` routes; its handlers share the time among them.
 */
export const routeCosts = ['light', 'heavy', 'scan'] as const
export type RouteCost = (typeof routeCosts)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    documentation?: RouteDocumentation
    cache?: CacheRule
    /** Only for an address with one parameter in its last segment: `/files/:name.mp3`. */
    fastPath?: FastPath
    /** `any`: pages of every origin may read the responses, whatever `cors_origins` says. */
    cors?: 'any'
    /** What a request costs; absent: a GET counts as light, and everything else as a decision. */
    cost?: RouteCost
    /** Largest accepted body in bytes; default: 1 MiB, and 16 KiB of a public route. */
    bodyLimit?: number
    /** Whose limit counts for requests without a token, beside that of all requests. */
    rateLimit?: 'query' | 'token'
    /** True for routes the rate limit leaves out, such as health checks. */
    isRateLimitExempt?: boolean
  }
  interface FastifyInstance {
    /** Counts the searches that a request asks for in its body, each as a request. Returns the refusal of too many. */
    countSearches(request: FastifyRequest, reply: import('fastify').FastifyReply, count: number): AppError | undefined
  }
  interface FastifyRequest {
    /** The authenticated client; null on an anonymous request. */
    principal: Principal | null
  }
}

/** The token lacks a scope; `what` needs it. */
export class ScopeError extends AppError {
  readonly scope: Scope

  constructor(scope: Scope, what = 'this') {
    super('INSUFFICIENT_SCOPE', `The token lacks the scope ${scope} that ${what} needs: ask for a token with it.`)
    this.scope = scope
  }
}

/** For what needs a scope beside the route's own, such as one setting of many. @throws ScopeError naming `what` */
export function requireScope(request: FastifyRequest, scope: Scope, what: string): void {
  if (!principalOf(request).scopes.has(scope)) throw new ScopeError(scope, what)
}

/** The client behind a request on a bearer route. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null)
    throw new TypeError(`${request.method} ${request.url} has no principal: is its access bearer?`)
  return request.principal
}
