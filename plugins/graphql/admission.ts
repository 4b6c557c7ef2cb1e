import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit
} from 'graphql'
import { AppError, AuthError, type Db, InputError, type Principal, type Settings } from '#core'
import { type Demand, demandOf } from './demand.ts'
import type { Query } from './engine.ts'
import { HiddenSchemaError, QueryError } from './refusal.ts'
import type { graphqlSettings } from './settings.ts'

interface AdmissionDeps {
  readonly settings: Settings<typeof graphqlSettings>
  readonly db: Db
}

/**
 * Looks at a valid document before anything is resolved: its variables, what it costs, and whether who asks may.
 * Answers the document to resolve where it is another.
 * @throws QueryError, AppError or HiddenSchemaError
 */
export function admit(
  schema: GraphQLSchema,
  document: DocumentNode,
  { principal, operationName, variables }: Query,
  { settings, db }: AdmissionDeps
): DocumentNode | undefined {
  const operation = getOperationAST(document, operationName)
  if (operation == null) throw new TypeError('A document without the operation came through its limits.')
  const demand = demandOf(schema, document, operation, variablesOf(schema, operation, variables))
  refuse(demand, settings.get('graphql_max_cost'))
  authorise(demand, principal)
  if (demand.introspection.size === 0 || principal !== null || isOpen(settings, db)) return undefined
  if (demand.introspection.has('__schema')) throw new HiddenSchemaError()
  return withoutTypes(document)
}

function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Query['variables']) {
  const limits = { maxErrors: 20, hideSuggestions: true }
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given, limits)
  if (errors !== undefined) throw new QueryError(errors)
  return coerced
}

function refuse({ cost, faults }: Demand, mostCost: number): void {
  const fields = Object.entries(faults)
  if (fields.length > 0)
    throw new InputError(faults, `Not valid: ${fields.map(([field, fault]) => `${field} ${fault}`).join('; ')}.`)
  if (cost <= mostCost) return
  const fault = `costs ${cost}; at most ${mostCost} are allowed (setting graphql_max_cost): ask for fewer items or fields`
  throw new InputError({ query: fault }, `The query ${fault}.`)
}

function authorise({ scopes }: Demand, principal: Principal | null): void {
  for (const [scope, field] of scopes) {
    if (principal === null)
      throw new AuthError(`${field} needs a bearer token with the scope ${scope}: get one from POST /token.`)
    if (!principal.scopes.has(scope))
      throw new AppError('INSUFFICIENT_SCOPE', `The token lacks the scope ${scope} that ${field} needs.`)
  }
}

/** Production is PostgreSQL; the embedded database is for one machine. */
function isOpen(settings: AdmissionDeps['settings'], { kind }: Db): boolean {
  const rule = settings.get('graphql_introspection')
  return rule === 'on' || (rule === 'auto' && kind === 'pglite')
}

/** `__type` answers null, as for a name that no type has: what exists is not told apart. */
const withoutTypes = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field(node) {
      if (node.name.value !== '__type') return undefined
      const value = { kind: Kind.STRING, value: '' } as const
      return { ...node, arguments: node.arguments?.map(argument => ({ ...argument, value })) }
    }
  })
