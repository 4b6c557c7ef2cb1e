import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildASTSchema, type GraphQLSchema, Kind, parse } from 'graphql'
import { BootError, type BootProblem, isObject, messageOf, type NamedGraphqlModule } from '#core'
import { readRules } from './field-rules.ts'
import { duplicateNames, type LoadedModule, moduleProblem, unknownFields } from './module-checks.ts'
import { type Resolvers, resolversOf } from './resolvers.ts'

/** What every part may use. */
const shared = `
"May be asked for by anybody."
directive @public on FIELD_DEFINITION
"Needs a bearer token with this scope."
directive @bearer(scope: String!) on FIELD_DEFINITION
"What the field adds to a query's cost, instead of 1."
directive @cost(weight: Int!) on FIELD_DEFINITION
"On fields of Query. Each counts as a search, of which an anonymous client may ask as many a minute as rate_limit_search_per_minute says."
directive @rateLimited on FIELD_DEFINITION
"ISO 8601, UTC, with milliseconds."
scalar DateTime
"Any JSON."
scalar JSON
type PageInfo {
  hasNextPage: Boolean!
  "\`after\` of the next page; null on an empty page."
  endCursor: String
}
type Query
`

interface CombinedSchema {
  readonly schema: GraphQLSchema
  /** By type and field, for every field of the modules' types. */
  readonly resolvers: Resolvers
}

/**
 * Combines the modules of all plugins into one schema, in several turns of the event loop: a service that answers readers does
 * it at its first query.
 * @throws BootError with every module that is wrong
 */
export async function createSchema(modules: readonly NamedGraphqlModule[]): Promise<CombinedSchema> {
  const problems: BootProblem[] = []
  const loaded: LoadedModule[] = []
  for (const module of modules) {
    loaded.push(...(await loadModule(module, problems)))
    await nextTurn()
  }
  const all = [{ plugin: 'graphql', document: parse(shared), resolvers: {}, checks: {} }, ...loaded]
  problems.push(...duplicateNames(all), ...all.flatMap(unknownFields))
  if (problems.length > 0) throw new BootError(problems)
  const schema = assemble(all)
  await nextTurn()
  problems.push(...readRules(schema, all))
  if (problems.length > 0) throw new BootError(problems)
  await nextTurn()
  return { schema, resolvers: resolversOf(schema, all) }
}

async function loadModule({ plugin, load }: NamedGraphqlModule, problems: BootProblem[]): Promise<[] | [LoadedModule]> {
  try {
    const part = await load()
    if (!isObject(part)) throw new TypeError('it returns nothing: return { schema, resolvers }')
    const { schema, resolvers = {}, checks = {} } = part
    return [{ plugin, document: parse(schema), resolvers, checks }]
  } catch (error) {
    problems.push(moduleProblem(plugin, `cannot be read (${messageOf(error)})`))
    return []
  }
}

/** Builds the schema. If it is not valid, the module without which it would be is at fault. */
function assemble(modules: readonly LoadedModule[]): GraphQLSchema {
  const build = (some: readonly LoadedModule[]) =>
    buildASTSchema({ kind: Kind.DOCUMENT, definitions: some.flatMap(({ document }) => document.definitions) })
  try {
    return build(modules)
  } catch (error) {
    const message = messageOf(error).replaceAll('\n', ' ')
    const failing = modules.find(module => fails(() => build(modules.filter(other => other !== module))) === false)
    throw new BootError([moduleProblem(failing?.plugin ?? 'graphql', `does not fit the others (${message})`)])
  }
}

function fails(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}
