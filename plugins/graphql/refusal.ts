import type { GraphQLError } from 'graphql'
import { AuthError } from '#core'

/** A document that GraphQL itself refuses: its syntax, its fields, its variables. */
export class QueryError extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'The query is refused.')
    this.name = 'QueryError'
    this.errors = errors
  }
}

/** The schema asked for by who may not see it. The query is well-formed and valid: it is answered, with nothing. */
export class HiddenSchemaError extends AuthError {
  constructor() {
    super('The schema is shown to bearers of a token only: see docs/graphql.md, or get a token from POST /token.')
  }
}
