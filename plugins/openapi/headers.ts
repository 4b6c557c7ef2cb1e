import { securityHeaders } from '#core'
import { checksIfMatch, hasEtag, sendsRanges, takesIdempotencyKey } from './route-features.ts'
import type { RouteFacts } from './types.ts'

const text = (description: string, example: string, pattern?: string) => ({
  description,
  schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
  example
})

function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}

const headerDescriptions: Readonly<Record<string, string>> = {
  'content-security-policy': 'Forbids scripts, subresources and framing. A page has a policy of its own.',
  'x-content-type-options': 'Browsers must not guess another content type.',
  'x-frame-options': 'Forbids framing, for old browsers.',
  'referrer-policy': 'No referrer is sent.',
  'cross-origin-resource-policy': 'Whether other sites may embed the response.'
}
const security = Object.fromEntries(
  Object.entries(securityHeaders).map(([name, value]) => [canonical(name), text(headerDescriptions[name] ?? '', value)])
)

/** Headers of answers, by name. */
export const responseHeaders: Readonly<Record<string, object>> = {
  'X-Request-ID': {
    description: "The request's own X-Request-ID when it was a UUID, else a new one; errors and the log have it, too.",
    schema: { type: 'string', format: 'uuid' },
    example: '3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d'
  },
  ETag: text(
    'Strong entity tag of this response. Absent when Cache-Control is no-store.',
    '"5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"'
  ),
  'Cache-Control': text('How long the response may be cached.', 'public, max-age=0, must-revalidate'),
  'Cache-Tag': text('Cache tags of the response, where cache_tag_header is Cache-Tag.', 'posts,settings'),
  'Surrogate-Key': text('Cache tags of the response, where cache_tag_header is Surrogate-Key.', 'posts settings'),
  xkey: text('Cache tags of the response, where cache_tag_header is xkey.', 'posts settings'),
  Vary: text('Request headers that the response depends on.', 'Accept-Encoding'),
  Link: text('`next` and `prev` page of a list (RFC 8288), when they exist.', '</api/posts?offset=20>; rel="next"'),
  Location: text('Path of the resource.', '/api/tasks/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d'),
  'RateLimit-Limit': {
    description: 'Requests a minute that the caller may make. Of several limits, the one that is reached first.',
    schema: { type: 'integer', minimum: 1 },
    example: 6000
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left in this window.',
    schema: { type: 'integer', minimum: 0 },
    example: 5999
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window ends.',
    schema: { type: 'integer', minimum: 1 },
    example: 42
  },
  'RateLimit-Policy': text('The limit and the length of its window in seconds.', '6000;w=60'),
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 12
  },
  'WWW-Authenticate': text(
    'The authentication that is required (RFC 6750).',
    'Bearer realm="galley", error="invalid_token"'
  ),
  Allow: text('Methods the path takes.', 'GET, HEAD, POST'),
  'Accept-Ranges': text('`bytes`: parts of the file may be asked for.', 'bytes'),
  'Content-Range': text('Which bytes of how many these are.', 'bytes 0-1023/482113'),
  'Idempotency-Replayed': text('`true` when this is the first answer to the same Idempotency-Key again.', 'true'),
  ...security
}

/** Request headers, by the name of their component. */
export const requestHeaders: Readonly<Record<string, { name: string; [keyword: string]: unknown }>> = {
  RequestId: headerParameter('X-Request-ID', 'A UUID that the answer and the log repeat.', {
    format: 'uuid',
    example: '3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d'
  }),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.',
    { minLength: 1, maxLength: 255, example: 'task-tides-2026-11-21' }
  ),
  IfMatch: headerParameter('If-Match', 'Only for the version with this ETag; another is refused with 412.', {
    example: '"5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"'
  }),
  IfNoneMatch: headerParameter('If-None-Match', 'Answer 304 when the reader has the version with this ETag.', {
    example: '"5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"'
  }),
  Range: headerParameter('Range', 'The bytes wanted (RFC 9110).', { example: 'bytes=0-1023' }),
  IfRange: headerParameter('If-Range', 'Heed Range only while the file has this ETag or this Last-Modified.', {
    example: '"1a2b-3c4d-5e6f"'
  }),
  IfModifiedSince: headerParameter(
    'If-Modified-Since',
    'Answer 304 when the file is no newer. If-None-Match counts first.',
    {
      example: 'Sat, 21 Nov 2026 10:00:00 GMT'
    }
  ),
  IfUnmodifiedSince: headerParameter(
    'If-Unmodified-Since',
    'Answer 412 when the file is newer. If-Match counts first.',
    {
      example: 'Sat, 21 Nov 2026 10:00:00 GMT'
    }
  )
}

function headerParameter(name: string, description: string, { example, ...schema }: Record<string, unknown>) {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...schema }, example }
}

/** The shared request headers a route reads. */
export const requestHeadersOf = (route: RouteFacts): string[] => [
  'RequestId',
  ...(takesIdempotencyKey(route) ? ['IdempotencyKey'] : []),
  ...(checksIfMatch(route) ? ['IfMatch'] : []),
  ...(hasEtag(route) ? ['IfNoneMatch'] : []),
  ...(sendsRanges(route) ? ['Range', 'IfRange', 'IfModifiedSince', 'IfUnmodifiedSince'] : [])
]

/** Headers that every answer has, failures too. */
export const everyResponse: readonly string[] = ['X-Request-ID', ...Object.keys(security)]

/** A CDN purges by one of them, on every route whose responses have cache tags. */
const cacheTagHeaders = ['Cache-Tag', 'Surrogate-Key', 'xkey']

/** The headers of a rate limit, on every route that has one. */
export const rateLimitHeaders: readonly string[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy'
]

/** The shared headers of a route's answers. */
export const responseHeadersOf = (route: RouteFacts, status: number): string[] => [
  ...everyResponse,
  ...(route.config.isRateLimitExempt === true ? [] : rateLimitHeaders),
  ...headersOf(route, status)
]

function headersOf(route: RouteFacts, status: number): string[] {
  const { config, isList } = route
  const ranges = sendsRanges(route) ? ['Accept-Ranges'] : []
  if (status >= 300 && status < 400)
    return ['Cache-Control', ...(status === 304 ? ['ETag', 'Vary', ...ranges] : ['Location'])]
  if (status >= 400) return ['Cache-Control', ...(status === 401 ? ['WWW-Authenticate'] : [])]
  return [
    'Cache-Control',
    ...(hasEtag(route) || checksIfMatch(route) ? ['ETag'] : []),
    ...(hasEtag(route) ? ['Vary'] : []),
    ...((config.cache?.tags ?? []).length > 0 ? cacheTagHeaders : []),
    ...(isList ? ['Link'] : []),
    ...(takesIdempotencyKey(route) ? ['Idempotency-Replayed'] : []),
    ...ranges,
    ...(status === 206 ? ['Content-Range'] : [])
  ]
}
