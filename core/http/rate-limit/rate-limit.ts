import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import type { Settings } from '../../contract/settings.ts'
import type { httpSettings } from '../settings.ts'
import { type Allowance, createRateLimit, windowSeconds } from './allowances.ts'
import { type Caller, callerAt, callerOf } from './callers.ts'

/** How many requests a caller may make a minute. */
export interface RequestLimits {
  /** Counts a request and sets the headers of its allowance. Returns the refusal of one too many. */
  count(request: FastifyRequest, reply: FastifyReply): AppError | undefined
  countSearches: FastifyInstance['countSearches']
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
  /** What there is beside the limit of all requests, for those without a token. 0: nothing. */
  const limitOf = ({ principal }: FastifyRequest, kind: 'query' | 'token' | undefined) => {
    if (principal != null || kind === undefined) return 0
    return settings.get(kind === 'query' ? 'rate_limit_search_per_minute' : 'rate_limit_token_per_minute')
  }
  return {
    count(request, reply) {
      const { isRateLimitExempt, rateLimit: kind } = request.routeOptions?.config ?? {}
      const own = limitOf(request, kind)
      if (isRateLimitExempt === true || (all() === 0 && own === 0)) return undefined
      const caller = callerOf(request, isTrusted)
      const refused = all() > 0 ? refusalOf(take(caller, all()), reply) : undefined
      return own === 0 ? refused : (refusalOf(take(caller, own, kind), reply) ?? refused)
    },
    countSearches(request, reply, searches) {
      const limit = limitOf(request, 'query')
      if (limit === 0 || searches === 0) return undefined
      return refusalOf(take(callerOf(request, isTrusted), limit, 'query', searches), reply)
    },
    countMalformed: socket => all() > 0 && take(callerAt(socket.remoteAddress ?? ''), all()).isExceeded
  }

  function take({ key, undeclaredProxy }: Caller, limit: number, kind = 'all', requests = 1): Allowance {
    if (undeclaredProxy !== undefined) onUndeclaredProxy(undeclaredProxy)
    return rates.take(`${kind} ${key}`, limit, undeclaredProxy !== undefined, requests)
  }
}

/** Sets the headers of the allowance, and of several those of the one that is reached first. */
function refusalOf({ limit, remaining, seconds, isExceeded }: Allowance, reply: FastifyReply): AppError | undefined {
  const before = reply.getHeader('ratelimit-remaining')
  if (!isExceeded && before !== undefined && Number(before) <= remaining) return undefined
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
