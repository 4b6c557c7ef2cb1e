import type { ErrorCode, ErrorDefinition, ErrorDefinitions } from '#core'
import { exampleOf } from './example.ts'
import { everyResponse, rateLimitHeaders } from './headers.ts'
import { checksIfMatch, sendsRanges, takesIdempotencyKey } from './route-features.ts'
import type { Response, RouteFacts } from './types.ts'

export const errorBodyOf = (errors: ErrorDefinitions) => ({
  type: 'object',
  required: ['error_code', 'message', 'errors', 'request_id'],
  properties: {
    error_code: { type: 'string', enum: Object.keys(errors) },
    message: { type: 'string', description: 'What happened and what to do.' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Faulty fields by dotted path; `body` for the whole body.'
    },
    request_id: requestId
  }
})

const requestId = { type: 'string', format: 'uuid' }

export const errorTitles: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'No valid token or signature',
  403: 'The token lacks the scope',
  404: 'Not found',
  405: 'The path takes other methods',
  409: 'The present state does not allow it',
  410: 'It is no longer valid',
  412: 'It changed since it was read',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  416: 'The file has no such bytes',
  429: 'Too many requests',
  500: 'The service failed',
  503: 'A part of the service does not answer'
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Accept-Ranges', 'Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After']
}

/** Where a status does not say it. */
const headersOfCode: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  IDEMPOTENCY_KEY_IN_USE: ['Retry-After']
}

/** Every code a route may answer with: those of its kind, and its own. */
export function codesOf(route: RouteFacts, errors: ErrorDefinitions): ErrorCode[] {
  const { method, url, config, hasOwnErrorFormat } = route
  const kind = config.access?.kind
  const codes: ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
  if (config.isRateLimitExempt !== true) codes.push('RATE_LIMITED')
  if (hasOwnErrorFormat) return codes
  codes.push('VALIDATION_ERROR', ...(config.documentation?.errors ?? []))
  if (kind !== 'public') codes.push('UNAUTHORIZED')
  if (kind === 'bearer' || kind === 'optional') codes.push('INSUFFICIENT_SCOPE')
  if (url.includes('{')) codes.push('NOT_FOUND')
  if (takesIdempotencyKey(route))
    codes.push('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_ANSWER_LOST')
  if (checksIfMatch(route)) codes.push('PRECONDITION_FAILED')
  if (sendsRanges(route)) codes.push('RANGE_NOT_SATISFIABLE')
  if (method !== 'get') codes.push('PAYLOAD_TOO_LARGE')
  // A signed body is taken as it is, whatever its sender calls it.
  if (method !== 'get' && kind !== 'signed') codes.push('UNSUPPORTED_MEDIA_TYPE')
  // A route may name a code of a plugin that is left out.
  return Object.keys(errors).filter(code => codes.includes(code))
}

/** The failures of an operation, by status. A status with one code is the same for every route: a shared response. */
export function errorResponses(codes: readonly ErrorCode[], errors: ErrorDefinitions): Record<string, Response> {
  const byStatus = Map.groupBy(codes, code => definitionOf(errors, code).status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const [first = 'INTERNAL_ERROR', ...others] = group
      const isShared = others.length === 0
      return [
        status,
        isShared ? { $ref: `#/components/responses/${nameOf(first)}` } : responseOf(status, group, errors)
      ]
    })
  )
}

/** A route's own responses, merged with those of these codes where they have one status. */
export function mergeErrorResponses(
  own: Readonly<Record<string, Response>>,
  codes: readonly ErrorCode[],
  errors: ErrorDefinitions
): Record<string, Response> {
  const byStatus = Map.groupBy(codes, code => String(definitionOf(errors, code).status))
  return Object.fromEntries(
    Object.entries(own).map(([status, answer]) => {
      const group = byStatus.get(status)
      return [status, group === undefined ? answer : withShared(answer, responseOf(Number(status), group, errors))]
    })
  )
}

/** A status answered in a route's own form by some refusals and as `ErrorBody` by the others. */
function withShared(own: Response, shared: ReturnType<typeof responseOf>): Response {
  const ofJson = own.content?.[json]
  const { schema, examples } = shared.content[json]
  const merged = ofJson && {
    schema: { anyOf: [ofJson.schema ?? {}, schema] },
    examples: { own: { value: ofJson.example }, ...examples }
  }
  return {
    ...shared,
    description: [own.description, '', shared.description].join('\n'),
    headers: { ...own.headers, ...shared.headers },
    content: { ...own.content, [json]: merged ?? shared.content[json] }
  }
}

/** The shared responses that `errorResponses` refers to, for these codes. */
export function sharedErrors(codes: readonly ErrorCode[], errors: ErrorDefinitions): Record<string, unknown> {
  return Object.fromEntries(
    codes.map(code => [nameOf(code), responseOf(definitionOf(errors, code).status, [code], errors)])
  )
}

const json = 'application/json'

/** @throws TypeError for a code that nobody declares. */
export function definitionOf(errors: ErrorDefinitions, code: ErrorCode): ErrorDefinition {
  const definition = errors[code]
  if (definition === undefined) throw new TypeError(`No plugin declares the error code ${code}.`)
  return definition
}

function responseOf(status: number, codes: readonly ErrorCode[], errors: ErrorDefinitions) {
  const headers = [
    ...everyResponse,
    ...rateLimitHeaders,
    'Cache-Control',
    ...(headersOfStatus[status] ?? []),
    ...codes.flatMap(code => headersOfCode[code] ?? [])
  ]
  const lines = codes.map(code => `- \`${code}\`: ${definitionOf(errors, code).describe}`)
  return {
    description: [`${errorTitles[status] ?? 'Refused'}.`, '', ...lines].join('\n'),
    headers: Object.fromEntries(headers.map(name => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      [json]: {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorBody' },
            { type: 'object', required: ['error_code'], properties: { error_code: { enum: codes } } }
          ]
        },
        examples: Object.fromEntries(
          codes.map(code => [code, { value: errorExample(code, definitionOf(errors, code)) }])
        )
      }
    }
  }
}

function errorExample(error_code: ErrorCode, { describe, message = describe }: ErrorDefinition): object {
  const errors = error_code === 'VALIDATION_ERROR' ? { limit: 'must be at most 100' } : {}
  return { error_code, message, errors, request_id: exampleOf(requestId) }
}

/** `TASK_IN_PROGRESS` is `TaskInProgress`. */
const nameOf = (code: ErrorCode): string =>
  code
    .toLowerCase()
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
