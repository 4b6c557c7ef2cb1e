import fastify from 'fastify'
import { type DocumentNode, GraphQLError, OperationTypeNode } from 'graphql'
import mercurius from 'mercurius'
import { createSharedRuns } from '#coalescing'
import { AppError, type Db, errorCode, InputError, isObject, type NamedGraphqlModule, type Settings } from '#core'
import { admit } from './admission.ts'
import { createContext } from './context.ts'
import { createDocuments, type NamedOperation } from './documents.ts'
import { QueryError } from './errors.ts'
import { rateLimitedFields } from './field-rules.ts'
import type { GraphqlRequest } from './request.ts'
import type { MeasuredContext } from './resolvers.ts'
import { formatError, type GraphqlResponse, graphqlRefusal, withErrors } from './response.ts'
import { createResponseSize } from './response-size.ts'
import { createSchema } from './schema.ts'
import type { graphqlSettings } from './settings.ts'
import { resolvedNames } from './shape.ts'

export interface Engine {
  execute(query: GraphqlRequest): Promise<GraphqlResponse>
}

export interface EngineDeps {
  readonly modules: readonly NamedGraphqlModule[]
  readonly settings: Settings<typeof graphqlSettings>
  readonly db: Db
  /** Searches that an anonymous client may ask for in a minute. 0: as many as it likes. */
  searchesPerMinute(): number
}

/** What a document answers. Requests share it. */
type Execution =
  | { readonly json: Buffer; readonly errors?: undefined }
  | { readonly data: unknown; readonly errors: readonly GraphQLError[] }

interface Executor {
  executeText(text: string, query: GraphqlRequest): Promise<Execution>
  /** Drops every parsed document. */
  clearParsed(): void
}
type QueryContext = MeasuredContext & { readonly query: GraphqlRequest }

const validateOptions = { maxErrors: 20, hideSuggestions: true }

/**
 * Answers queries over the combined schema. A query can only be refused before its first resolver runs.
 * @throws BootError with every plugin whose part of the schema is wrong
 */
export async function createEngine({ modules, settings, db, searchesPerMinute }: EngineDeps): Promise<Engine> {
  const { schema, resolvers } = await createSchema(modules)
  const { executeText, clearParsed } = await createExecutor(
    { schema, resolvers },
    ({ query }, document) => admit(schema, document, query, { settings, db }),
    () => settings.get('graphql_max_answer_mb') * 1_000_000
  )
  const limited = rateLimitedFields(schema)
  const documents = createDocuments(settings, clearParsed)
  const anonymous = createSharedRuns<Execution>()
  const executeShared = (text: string, query: GraphqlRequest) => {
    const execute = () => executeText(text, query)
    if (query.principal !== null) return execute()
    return anonymous.run(JSON.stringify([text, query.operationName, query.variables]), execute)
  }
  const execute = async (query: GraphqlRequest): Promise<GraphqlResponse> => {
    const text = query.hash === undefined ? query.text : documents.resolveText(query.hash, query.text)
    if (text === undefined) throw new InputError({ query: 'is required' }, 'The query is missing.')
    const operation = operationOf(documents.operationsIn(text), query.operationName)
    refuseMutation(operation, query.method)
    // Not with the cost: requests share an execution, and each counts for its own client.
    const asked = resolvedNames(operation.rootFields, query.variables)
    const searches = asked.filter(field => limited.has(field)).length
    if (query.principal === null) refuseManySearches(searches, searchesPerMinute())
    const refused = query.countSearches(searches)
    if (refused !== undefined) throw refused
    const execution = await executeShared(text, query)
    if (query.hash !== undefined && query.text !== undefined) documents.persist(query.hash, text)
    return respond(execution, query)
  }
  return { execute: query => execute(query).catch(error => graphqlRefusal(error, query)) }
}

/** mercurius on an app that never listens. It validates, calls `check` and resolves. */
async function createExecutor(
  { schema, resolvers }: Awaited<ReturnType<typeof createSchema>>,
  check: (context: QueryContext, document: DocumentNode) => DocumentNode | undefined,
  maxResponseBytes: () => number
): Promise<Executor> {
  const app = fastify()
  await app.register(mercurius, {
    schema,
    resolvers,
    routes: false,
    graphql: { validateOptions },
    errorFormatter: ({ data, errors }) => ({ statusCode: 200, response: { data, errors } })
  })
  // Given to mercurius earlier, an error in a variable would list the valid enum values.
  app.graphql.addHook<QueryContext>('preExecution', (_, document, context) => ({
    document: check(context, document),
    variables: context.query.variables
  }))
  await app.ready()
  return {
    clearParsed: () => app.graphql.replaceSchema(schema),
    async executeText(text, query) {
      const size = createResponseSize(maxResponseBytes())
      const context: QueryContext = Object.assign(createContext(query.principal, size), { query, size })
      const { data, errors } = await app
        .graphql(text, context, undefined, query.operationName ?? undefined)
        .catch(rethrow)
      const tooLarge = size.fault()
      if (tooLarge !== undefined) throw tooLarge
      return errors === undefined ? { json: Buffer.from(JSON.stringify({ data })) } : { data, errors }
    }
  }
}

const respond = (execution: Execution, query: GraphqlRequest): GraphqlResponse =>
  execution.errors === undefined
    ? { status: 200, json: execution.json, hasErrors: false }
    : withErrors(200, { errors: execution.errors.map(each => formatError(each, query)), data: execution.data })

function operationOf(operations: readonly NamedOperation[], name: string | null): NamedOperation {
  const found = name === null ? operations.slice(0, 2) : operations.filter(each => each.name === name).slice(0, 1)
  const [operation] = found
  if (operation !== undefined && found.length === 1) return operation
  const refuse = (message: string) => new QueryError([new GraphQLError(message)])
  if (operation !== undefined)
    throw refuse('The document has more than one operation: name one of them in operationName.')
  const which = name === null ? '' : ` ${JSON.stringify(name.slice(0, 100))}`
  throw refuse(`The document has no operation${which}.`)
}

function refuseMutation({ type }: NamedOperation, method: GraphqlRequest['method']): void {
  if (type === OperationTypeNode.QUERY) return
  if (method === 'GET')
    throw new AppError('METHOD_NOT_ALLOWED', `A ${type} cannot be sent by GET. There is none here: GraphQL only reads.`)
  throw new QueryError([new GraphQLError(`There is no ${type} here: GraphQL only reads.`)])
}

/** More than a whole minute has: to wait would never help, and nothing is counted. */
function refuseManySearches(searches: number, max: number): void {
  if (max === 0 || searches <= max) return
  const fault = `asks for ${searches} searches; at most ${max} a minute are allowed (setting rate_limit_search_per_minute): ask for fewer in one query`
  throw new InputError({ query: fault }, `The query ${fault}.`)
}

/** Rethrows mercurius's validation errors as a QueryError. */
function rethrow(error: unknown): never {
  if (errorCode(error) === 'MER_ERR_GQL_VALIDATION' && isObject(error) && Array.isArray(error.errors))
    throw new QueryError(error.errors.filter(each => each instanceof GraphQLError))
  throw error
}
