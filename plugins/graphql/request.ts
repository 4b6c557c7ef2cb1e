import type { AppError, ErrorDefinitions, Log, Principal } from '#core'

/** A GraphQL request, as HTTP brought it. */
export interface GraphqlRequest {
  readonly id: string
  readonly log: Pick<Log, 'error'>
  readonly method: 'GET' | 'POST'
  readonly principal: Principal | null
  /** Whether it is answered in `application/json`. */
  readonly isPlainJson: boolean
  readonly text: string | undefined
  readonly hash: string | undefined
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Counts so many searches for the client. Returns the refusal of too many. */
  countSearches(searches: number): AppError | undefined
  /** Every error code there is. */
  readonly errors: ErrorDefinitions
}
