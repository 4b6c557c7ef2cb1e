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
import { type Analysis, analyse } from './analysis.ts'
import { HiddenSchemaError, notValid, QueryError } from './errors.ts'
import type { GraphqlRequest } from './request.ts'
import type { graphqlSettings } from './settings.ts'

interface AdmissionDeps {
  readonly settings: Settings<typeof graphqlSettings>
  readonly db: Db
}

/**
 * Checks the variables, the cost and the scopes of a valid document before anything is resolved.
 * Returns the document to resolve if it differs from the given one.
 * @throws QueryError, AppError or HiddenSchemaError
 */
export function admit(
  schema: GraphQLSchema,
  document: DocumentNode,
  { principal, operationName, variables }: GraphqlRequest,
  { settings, db }: AdmissionDeps
): DocumentNode | undefined {
  const operation = getOperationAST(document, operationName)
  if (operation == null) throw new TypeError('The document has no such operation.')
  const analysis = analyse(schema, document, operation, coerceVariables(schema, operation, variables))
  checkCost(analysis, settings.get('graphql_max_cost'))
  checkScopes(analysis, principal)
  if (analysis.introspection.size === 0 || principal !== null || isSchemaPublic(settings, db)) return undefined
  if (analysis.introspection.has('__schema')) throw new HiddenSchemaError()
  return hideTypes(document)
}

function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: GraphqlRequest['variables']
) {
  const limits = { maxErrors: 20, hideSuggestions: true }
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, limits)
  if (errors !== undefined) throw new QueryError(errors)
  return coerced
}

function checkCost({ cost, faults }: Analysis, maxCost: number): void {
  if (Object.keys(faults).length > 0) throw new InputError(faults, notValid(faults))
  if (cost <= maxCost) return
  const fault = `costs ${cost}; at most ${maxCost} are allowed (setting graphql_max_cost): ask for fewer items or fields`
  throw new InputError({ query: fault }, `The query ${fault}.`)
}

function checkScopes({ scopes }: Analysis, principal: Principal | null): void {
  for (const [scope, field] of scopes) {
    if (principal === null)
      throw new AuthError(`${field} needs a bearer token with the scope ${scope}: get one from POST /token.`)
    if (!principal.scopes.has(scope))
      throw new AppError('INSUFFICIENT_SCOPE', `The token lacks the scope ${scope} that ${field} needs.`)
  }
}

/** Production is PostgreSQL; the embedded database is for one machine. */
function isSchemaPublic(settings: AdmissionDeps['settings'], { kind }: Db): boolean {
  const rule = settings.get('graphql_introspection')
  return rule === 'on' || (rule === 'auto' && kind === 'pglite')
}

/** Makes `__type` answer null, as for an unknown name, so that it does not reveal which types exist. */
const hideTypes = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field(node) {
      if (node.name.value !== '__type') return undefined
      const value = { kind: Kind.STRING, value: '' } as const
      return { ...node, arguments: node.arguments?.map(argument => ({ ...argument, value })) }
    }
  })
