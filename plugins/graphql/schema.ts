import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildASTSchema, type GraphQLSchema, Kind, parse } from 'graphql'
import { BootError, type BootProblem, messageOf, type NamedGraphqlPart } from '#core'
import { readRules } from './field-rules.ts'
import { duplicateNames, type LoadedPart, partProblem, unknownFields } from './part-checks.ts'
import { type Resolvers, resolversOf } from './resolvers.ts'

/** What every part may use. */
const shared = `
"May be asked for by anybody."
directive @public on FIELD_DEFINITION
"Needs a bearer token with this scope."
directive @bearer(scope: String!) on FIELD_DEFINITION
"What the field adds to a query's cost, instead of 1."
directive @cost(weight: Int!) on FIELD_DEFINITION
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

interface PartsSchema {
  readonly schema: GraphQLSchema
  /** By type and field, for every field of the parts' types. */
  readonly resolvers: Resolvers
}

/**
 * Combines the parts of all plugins into one schema, in several turns of the event loop: a service that answers readers does
 * it at its first query.
 * @throws BootError with every part that is wrong
 */
export async function createSchema(parts: readonly NamedGraphqlPart[]): Promise<PartsSchema> {
  const problems: BootProblem[] = []
  const loaded: LoadedPart[] = []
  for (const part of parts) {
    loaded.push(...(await loadPart(part, problems)))
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

async function loadPart({ plugin, load }: NamedGraphqlPart, problems: BootProblem[]): Promise<[] | [LoadedPart]> {
  try {
    const { schema, resolvers = {}, checks = {} } = await load()
    return [{ plugin, document: parse(schema), resolvers, checks }]
  } catch (error) {
    problems.push(partProblem(plugin, `cannot be read (${messageOf(error)})`))
    return []
  }
}

/** Builds the schema. If it is not valid, the part without which it would be is at fault. */
function assemble(parts: readonly LoadedPart[]): GraphQLSchema {
  const build = (some: readonly LoadedPart[]) =>
    buildASTSchema({ kind: Kind.DOCUMENT, definitions: some.flatMap(({ document }) => document.definitions) })
  try {
    return build(parts)
  } catch (error) {
    const message = messageOf(error).replaceAll('\n', ' ')
    const failing = parts.find(part => fails(() => build(parts.filter(other => other !== part))) === false)
    throw new BootError([partProblem(failing?.plugin ?? 'graphql', `does not fit the others (${message})`)])
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
