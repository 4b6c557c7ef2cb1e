import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { AppError, type ErrorCode, InputError, messageOf, statusOf as statusOfCode } from '#core'
import { HiddenSchemaError, notValid, QueryError } from './errors.ts'
import { camelCase } from './field-names.ts'
import type { GraphqlRequest } from './request.ts'

const maxMessageLength = 500

/** A GraphQL response with its HTTP status. */
export interface GraphqlResponse {
  readonly status: number
  readonly json: string | Buffer
  readonly hasErrors: boolean
}

/** A response with errors: a whole query that is refused, or fields that failed. */
export const withErrors = (
  status: number,
  body: { readonly errors: readonly GraphQLFormattedError[]; readonly data?: unknown }
): GraphqlResponse => ({ status, json: JSON.stringify(body), hasErrors: true })

/**
 * The answer to a refused request. In `application/json` a document that GraphQL refuses has the status 200: older clients
 * expect it.
 */
export function graphqlRefusal(error: unknown, request: GraphqlRequest): GraphqlResponse {
  const refused = error instanceof QueryError ? error.errors : error instanceof GraphQLError ? [error] : undefined
  if (refused !== undefined) {
    const errors = refused.map(each => formatError(each, request))
    return withErrors(request.isPlainJson ? 200 : httpStatus(errors[0], request), { errors })
  }
  const errors = [formatError(asGraphqlError(error), request)]
  if (error instanceof HiddenSchemaError) return withErrors(200, { errors, data: null })
  return withErrors(httpStatus(errors[0], request), { errors })
}

const httpStatus = (error: GraphQLFormattedError | undefined, { errors }: GraphqlRequest): number =>
  statusOfCode(errors, String(error?.extensions?.code)) ?? 500

const asGraphqlError = (error: unknown): GraphQLError =>
  new GraphQLError(messageOf(error), { originalError: error instanceof Error ? error : new Error(messageOf(error)) })

/** The error with our code. An error that is not an AppError, or a value that a field's type refuses, is only logged. */
export function formatError(
  error: GraphQLError,
  { id, log }: Pick<GraphqlRequest, 'id' | 'log'>
): GraphQLFormattedError {
  const { originalError: cause, path, locations } = error
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) }
  const toFormatted = (message: string, code: ErrorCode, errors: object) => ({
    message,
    ...place,
    extensions: { code, errors, request_id: id }
  })
  if (cause instanceof AppError) {
    const faults = toArgumentNames(cause.fields, path)
    const saysNothing = cause instanceof InputError && !cause.hasOwnMessage
    return toFormatted(saysNothing ? notValid(faults) : cause.message, cause.code, faults)
  }
  const isOfDocument = path === undefined && (cause == null || cause instanceof GraphQLError)
  if (isOfDocument) {
    const { code } = error.extensions
    return toFormatted(shortenQuotes(error.message), typeof code === 'string' ? code : 'VALIDATION_ERROR', {})
  }
  log.error({ err: cause ?? error, path }, 'a GraphQL field failed')
  return toFormatted(
    'The service failed on this field. Its log has the cause under this request_id.',
    'INTERNAL_ERROR',
    {}
  )
}

/** GraphQL quotes what it refuses in full, before the reason. Long quotes are shortened. */
function shortenQuotes(message: string): string {
  const short = message.replace(/[^\s"]{100,}|"[^"]{100,}"/g, long =>
    `${long.slice(0, 50)}…${long.slice(-10)}`.toWellFormed()
  )
  return short.length <= maxMessageLength ? short : `${short.slice(0, maxMessageLength)}…`.toWellFormed()
}

/** Renames REST parameters to GraphQL arguments, such as `posts.after`. */
function toArgumentNames(fields: Readonly<Record<string, string>>, path: GraphQLError['path']): Record<string, string> {
  const field = path?.findLast(step => typeof step === 'string')
  const { cursor, ...others } = fields
  const named = Object.entries(others).map(([name, fault]) => [camelCase(name), fault] as const)
  if (cursor !== undefined)
    named.push(['after', 'is not a cursor of this list: use endCursor, or an edge’s cursor, as it is'])
  return Object.fromEntries(named.map(([name, fault]) => [field === undefined ? name : `${field}.${name}`, fault]))
}
