import type { GraphQLError } from 'graphql'
import { AuthError, type FieldErrors } from '#core'

/** GraphQL refuses the document: its syntax, fields or variables. */
export class QueryError extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'The query is refused.')
    this.name = 'QueryError'
    this.errors = errors
  }
}

/** Introspection without permission. The query itself is valid, so its answer has no data and the status 200. */
export class HiddenSchemaError extends AuthError {
  constructor() {
    super('The schema is only shown with a token: see docs/graphql.md, or get a token from POST /token.')
  }
}

/** The faults as one message: clients show it, and few look into `extensions`. */
export const notValid = (faults: FieldErrors): string =>
  `Not valid: ${Object.entries(faults)
    .map(([field, fault]) => `${field} ${fault}`)
    .join('; ')}.`
