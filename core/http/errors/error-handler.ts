import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { coreErrors, type ErrorDefinitions, statusOf } from '../../contract/error-codes.ts'
import type { ErrorPages } from '../../contract/error-pages.ts'
import { AppError, InputError, NotFoundError, UnavailableError } from '../../contract/errors.ts'
import { isObject } from '../../unknown.ts'
import { challengeFor } from '../authentication.ts'
import { validationFields } from '../input/validation.ts'
import { securityHeaders } from '../security-headers.ts'
import { prefersHtml } from './prefers-html.ts'
import { type ErrorBody, rawAnswer } from './raw-answer.ts'

export type ErrorHandler = (error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) => void

/**
 * Answers any failure of any route. What is not an AppError of a declared code is logged whole and not shown. It is the handler
 * of the app and of each plugin's routes: called again for a reply, it finds that its answer failed.
 */
export function createErrorHandler(errors: ErrorDefinitions, pages?: ErrorPages): ErrorHandler {
  const failed = new WeakSet<FastifyReply>()
  return (given, request, reply) => {
    if (failed.has(reply)) return answerRaw(given, request, reply)
    failed.add(reply)
    // Anything can be thrown, null included.
    const error = given ?? new Error(`A handler threw ${given}.`)
    const known = error instanceof AppError ? error : translate(error, request)
    const status = known === undefined ? undefined : statusOf(errors, known.code)
    if (known === undefined || status === undefined) {
      request.log.error({ err: error, method: request.method, path: pathOf(request) }, 'a request failed')
      return sendError(request, reply, { error: internal, status: coreErrors.INTERNAL_ERROR.status, pages })
    }
    if (status >= 500) logRefusal(request, known)
    sendError(request, reply, { error: known, status, pages })
  }
}

/** Past the hooks and without the headers of the reply: a hook of a plugin threw, or a header is none that HTTP takes. */
function answerRaw(fault: unknown, request: FastifyRequest, reply: FastifyReply): void {
  request.log.error({ err: fault, method: request.method, path: pathOf(request) }, 'the answer to a request failed')
  const { status, head, body } = rawAnswer('INTERNAL_ERROR', internal.message, request.id)
  reply.hijack()
  if (reply.raw.headersSent) reply.raw.destroy()
  else reply.raw.writeHead(status, head).end(body)
}

/** The refusal of an address, without its query; `advice` says what to do. */
export function nothingAt(url: string, advice = 'check the address'): NotFoundError {
  return new NotFoundError(`There is nothing at ${url.split('?', 1)[0]}: ${advice}.`)
}

/** One short line: while a part is down every request is refused, and anybody can cause some of these. */
function logRefusal(request: FastifyRequest, { code, message, cause, detail }: AppError): void {
  const reason = detail ?? (cause instanceof Error ? cause.message : undefined)
  request.log.warn({ error_code: code, reason, method: request.method, path: pathOf(request) }, message)
}

const internal = new AppError(
  'INTERNAL_ERROR',
  'The service failed on this request. Its log has the cause under this request_id.'
)

interface Failure {
  error: AppError
  status: number
  pages: ErrorPages | undefined
}

function sendError(request: FastifyRequest, reply: FastifyReply, failure: Failure): void {
  const { error, status, pages } = failure
  const challenge = challengeFor(request, error)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  if (status === 413) drain(request, reply)
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1')
  for (const header of ['etag', 'last-modified', 'content-length', 'content-encoding']) reply.removeHeader(header)
  reply
    .code(status)
    // Faults found before routing, such as a URL that cannot be decoded, pass no hook: all headers are set here.
    .headers({ ...securityHeaders, 'cache-control': 'no-store', 'x-request-id': request.id })
  const isShown = prefersHtml(request.headers.accept) && (['GET', 'HEAD'].includes(request.method) || isForm(request))
  if (pages === undefined || !isShown) sendJson(request, reply, error)
  else sendErrorPage(request, reply, { ...failure, pages }).catch(fault => answerRaw(fault, request, reply))
}

/** One of a browser: routes that answer no page take forms of programs, some of which accept pages first by default. */
const isForm = ({ headers, routeOptions: { schema } }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '') &&
  (schema?.response === undefined || JSON.stringify(schema.response).includes('"text/html"'))

function sendJson(request: FastifyRequest, reply: FastifyReply, { code, message, fields }: AppError): void {
  const body: ErrorBody = { error_code: code, message, errors: fields, request_id: request.id }
  reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify as (payload: unknown) => string)
    .send(body)
}

/** The failure as a page, and as JSON where the page itself fails. */
async function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, status, pages }: Failure & { pages: ErrorPages }
): Promise<void> {
  try {
    const faults = Object.entries(error.fields).map(([field, fault]) => `${field} ${fault}`)
    // "See errors" is for JSON answers.
    const message = error instanceof InputError && !error.hasOwnMessage ? `${faults.join('; ')}.` : error.message
    const { html, headers } = await pages.pageOf({ status, error_code: error.code, message, request_id: request.id })
    reply.headers(headers).type('text/html; charset=utf-8').send(html)
  } catch (fault) {
    request.log.error({ err: fault }, 'the page of a failure failed')
    sendJson(request, reply, error)
  }
}

/** Of a body that is too large this much is read and thrown away, so that its sender gets to read the answer. */
const maxDrainBytes = 16_777_216

/** Closing while the sender still writes would reset the connection, and with it the answer: many clients see only that. */
function drain({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  reply.removeHeader('connection')
  let read = 0
  raw.on('data', chunk => {
    read += chunk.length
    if (read > maxDrainBytes) raw.destroy()
  })
  raw.resume()
}

/** Refusals of Fastify and of the database, by code. */
const refusals: Readonly<Record<string, (error: FastifyError, request: FastifyRequest) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (_, request) =>
    new AppError(
      'PAYLOAD_TOO_LARGE',
      `The body is larger than the ${request.routeOptions.bodyLimit} bytes this route accepts.`
    ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (_, request) =>
    new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The content type ${JSON.stringify((request.headers['content-type'] ?? '').slice(0, 100))} is not accepted here: send ${acceptedTypes(request)}.`
    ),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new InputError({ body: 'is empty' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new InputError({ body: 'is not as long as its Content-Length says' }),
  FST_ERR_BAD_URL: () => new InputError({ path: 'is not a well-formed URL path: check its percent escapes' }),
  FST_ERR_MAX_PARAM_LENGTH: () => new InputError({ path: 'has a part that is too long' }),
  // The login lacks a right: nothing is wrong with the request, and an operator can grant it.
  42501: error =>
    new UnavailableError('The database does not allow this now. Try again later.', {
      cause: error,
      detail: `The login lacks a right in the database (${error.message}): galley doctor names what to grant.`
    })
}

function acceptedTypes({ routeOptions: { schema } }: FastifyRequest): string {
  const content = isObject(schema?.body) ? schema.body.content : undefined
  return isObject(content) ? Object.keys(content).join(', ') : 'application/json, or what the API document names'
}

/** What Fastify or a library refused, in our words; undefined for a fault of the service. */
function translate(error: FastifyError, request: FastifyRequest): AppError | undefined {
  if (error.validation !== undefined) return new InputError(validationFields(request))
  const refusal = refusals[error.code]?.(error, request)
  if (refusal !== undefined) return refusal
  const { statusCode = 500 } = error
  // The general code of a status is listed first.
  const [code] = Object.entries(coreErrors).find(([, { status }]) => status === statusCode && status !== 500) ?? []
  // The message is a library's: it may hold what clients must not see.
  const message = `The request cannot be answered (status ${statusCode}): check it against the API document.`
  return code === undefined ? undefined : new AppError(code, message, { cause: error })
}

function pathOf(request: FastifyRequest): string {
  // A preview token or an unsubscribe token in the address is a credential. The pattern has none.
  return request.routeOptions.url ?? '(no route)'
}
