import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import type { Settings } from '../../contract/settings.ts'
import type { httpSettings } from '../settings.ts'
import { type Allowance, createRateLimit, windowSeconds } from './allowances.ts'
import { type Caller, callerAt, callerOf } from './callers.ts'

/** How many requests a caller may make a minute. */
export interface RequestLimits {
  /** Counts a request and sets the headers of its allowance. Returns the refusal of one too many. */
  count(request: FastifyRequest, reply: FastifyReply): AppError | undefined
  /** Counts bytes that are no request; true when they are too many. */
  countMalformed(socket: Socket): boolean
}

interface RequestLimitDeps {
  settings: Settings<typeof httpSettings>
  isTrusted(address: string): boolean
  /** Called when a request comes through a proxy that is not declared. */
  onUndeclaredProxy(address: string): void
  now(): Date
}

export function createRequestLimits({ settings, isTrusted, onUndeclaredProxy, now }: RequestLimitDeps): RequestLimits {
  const rates = createRateLimit({ now })
  const all = () => settings.get('rate_limit_per_minute')
  /** What the route has beside the limit of all requests, for those without a token. */
  const ofRoute = ({ routeOptions, principal }: FastifyRequest) => {
    const kind = principal == null ? routeOptions?.config?.rateLimit : undefined
    if (kind === undefined) return undefined
    const limit = settings.get(kind === 'query' ? 'rate_limit_search_per_minute' : 'rate_limit_token_per_minute')
    return limit === 0 ? undefined : { kind, limit }
  }
  return {
    count(request, reply) {
      if (request.routeOptions?.config?.isRateLimitExempt === true) return undefined
      const own = ofRoute(request)
      if (all() === 0 && own === undefined) return undefined
      const caller = callerOf(request, isTrusted)
      if (caller.undeclaredProxy !== undefined) onUndeclaredProxy(caller.undeclaredProxy)
      const taken: Allowance[] = []
      if (all() > 0) taken.push(take(caller, all()))
      if (own !== undefined) taken.push(take(caller, own.limit, own.kind))
      return refusalOf(narrowest(taken), reply)
    },
    countMalformed: socket => all() > 0 && take(callerAt(socket.remoteAddress ?? ''), all()).isExceeded
  }

  function take({ key, undeclaredProxy }: Caller, limit: number, kind = 'all'): Allowance {
    return rates.take(`${kind} ${key}`, limit, undeclaredProxy !== undefined)
  }
}

/** Of several limits the one that is reached first. */
const narrowest = (taken: readonly Allowance[]): Allowance | undefined =>
  taken.reduce<Allowance | undefined>(
    (tightest, each) =>
      tightest === undefined || each.isExceeded || each.remaining < tightest.remaining ? each : tightest,
    undefined
  )

function refusalOf(allowance: Allowance | undefined, reply: FastifyReply): AppError | undefined {
  if (allowance === undefined) return undefined
  const { limit, remaining, seconds, isExceeded } = allowance
  reply.headers({
    'ratelimit-policy': `${limit};w=${windowSeconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(seconds)
  })
  if (!isExceeded) return undefined
  reply.header('retry-after', String(seconds))
  return new AppError('RATE_LIMITED', `Too many requests in this minute: wait ${seconds} s.`)
}
