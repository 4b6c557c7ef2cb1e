import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  validateSchema
} from 'graphql'
import {
  BootError,
  type BootProblem,
  type GraphqlCheck,
  type GraphqlContext,
  type NamedGraphqlPart,
  type Scope
} from '#core'
import { type AnswerSize, bytesOf } from './answer-size.ts'

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

/** What the service knows of a field beside its type. */
export interface FieldRule {
  /** The scope a token needs; undefined when anybody may ask. */
  readonly scope?: Scope
  readonly weight: number
  /** What is wrong with the arguments, in the words of the part. */
  readonly check?: GraphqlCheck
}
const rules = new WeakMap<object, FieldRule>()
const free: FieldRule = { weight: 1 }
export const ruleOf = (field: GraphQLField<unknown, unknown>): FieldRule => rules.get(field) ?? free

/** What resolvers are given, and what counts the answer. */
export type MeasuredContext = GraphqlContext & { readonly size: AnswerSize }
type Resolver = GraphQLFieldResolver<unknown, MeasuredContext>

interface LoadedPart {
  readonly plugin: string
  readonly document: DocumentNode
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly checks: Readonly<Record<string, Readonly<Record<string, GraphqlCheck>>>>
}

export interface PartsSchema {
  readonly schema: GraphQLSchema
  /** By type and field, for every field of the parts' types. */
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>
}

/**
 * Makes one schema of the parts of all plugins.
 * @throws BootError naming every part that is wrong.
 */
export async function createSchema(parts: readonly NamedGraphqlPart[]): Promise<PartsSchema> {
  const problems: BootProblem[] = []
  const loaded = (await Promise.all(parts.map(part => loadPart(part, problems)))).filter(part => part !== undefined)
  const all = [{ plugin: 'graphql', document: parse(shared), resolvers: {}, checks: {} }, ...loaded]
  problems.push(...takenNames(all), ...all.flatMap(strayResolvers))
  if (problems.length > 0) throw new BootError(problems)
  const schema = assemble(all)
  problems.push(...unstated(schema, all))
  if (problems.length > 0) throw new BootError(problems)
  return { schema, resolvers: resolversOf(schema, all) }
}

const problemOf = (plugin: string, cause: string): BootProblem => ({
  plugin,
  cause: `its part of the GraphQL schema ${cause}`,
  remedy: 'Repair the plugin, or remove it from plugins.config.json.'
})

async function loadPart({ plugin, load }: NamedGraphqlPart, problems: BootProblem[]): Promise<LoadedPart | undefined> {
  try {
    const { schema, resolvers = {}, checks = {} } = await load()
    return { plugin, document: parse(schema), resolvers, checks }
  } catch (error) {
    problems.push(problemOf(plugin, `cannot be read (${(error as Error).message})`))
    return undefined
  }
}

/** Names that two parts define, and types that a read-only schema has not. */
function takenNames(parts: readonly LoadedPart[]): BootProblem[] {
  const owner = new Map<string, string>()
  return parts.flatMap(({ plugin, document }) =>
    namesOf(document).flatMap(name => {
      if (name === 'Mutation' || name === 'Subscription')
        return [problemOf(plugin, `has a type ${name}: it is read only`)]
      const first = owner.get(name)
      if (first === undefined) owner.set(name, plugin)
      return first === undefined ? [] : [problemOf(plugin, `defines ${name}, which ${first} brings already`)]
    })
  )
}

/** `Post` for a type, `Post.title` for a field added to one. */
function namesOf({ definitions }: DocumentNode): string[] {
  return definitions.flatMap(definition => {
    if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) return fieldsOf(definition)
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) return []
    return 'name' in definition && definition.name !== undefined ? [definition.name.value] : []
  })
}

/** `Post.title` for each field of a type, or added to one. */
function fieldsOf(definition: DefinitionNode): string[] {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION) return []
  return definition.fields?.map(field => `${definition.name.value}.${field.name.value}`) ?? []
}

/** One document; when it does not hold together, the parts are added one by one to find the one at fault. */
function assemble(parts: readonly LoadedPart[]): GraphQLSchema {
  const build = (some: readonly LoadedPart[]) =>
    buildASTSchema({ kind: Kind.DOCUMENT, definitions: some.flatMap(({ document }) => document.definitions) })
  try {
    return build(parts)
  } catch (error) {
    const message = (error as Error).message.replaceAll('\n', ' ')
    const culprit = parts.find(part => fails(() => build(parts.filter(other => other !== part))) === false)
    throw new BootError([problemOf(culprit?.plugin ?? 'graphql', `does not fit the others (${message})`)])
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

/** Resolvers and checks of fields that the part does not define itself: one of another's field would answer in its stead. */
function strayResolvers({ plugin, document, resolvers, checks }: LoadedPart): BootProblem[] {
  const defined = new Set(document.definitions.flatMap(fieldsOf))
  const strays = (verb: string, given: Readonly<Record<string, object>>) =>
    Object.entries(given).flatMap(([type, fields]) =>
      Object.keys(fields)
        .filter(field => !defined.has(`${type}.${field}`))
        .map(field => problemOf(plugin, `${verb} ${type}.${field}, which it does not define`))
    )
  return [...strays('resolves', resolvers), ...strays('checks', checks)]
}

/** Every field of Query states who may ask for it, as every route does. */
function unstated(schema: GraphQLSchema, parts: readonly LoadedPart[]): BootProblem[] {
  const problems: BootProblem[] = validateSchema(schema).map(({ message }) =>
    problemOf('graphql', `is wrong (${message})`)
  )
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const { stated, rule } = readRule(schema, field)
      const check = parts.map(({ checks }) => checks[type.name]?.[field.name]).find(each => each !== undefined)
      rules.set(field, check === undefined ? rule : { ...rule, check })
      if (type !== schema.getQueryType() || stated) continue
      const owner = parts.find(({ document }) => namesOf(document).includes(`Query.${field.name}`))
      problems.push(
        problemOf(owner?.plugin ?? 'graphql', `does not say who may ask for ${field.name}: @public or @bearer`)
      )
    }
  }
  return problems
}

function readRule(schema: GraphQLSchema, { astNode }: GraphQLField<unknown, unknown>) {
  const valuesOf = (name: string) => {
    const directive = schema.getDirective(name)
    return directive == null || astNode == null ? undefined : getDirectiveValues(directive, astNode)
  }
  const scope = valuesOf('bearer')?.scope as Scope | undefined
  const weight = (valuesOf('cost')?.weight as number | undefined) ?? 1
  return {
    stated: scope !== undefined || valuesOf('public') !== undefined,
    rule: { weight, scope } satisfies FieldRule
  }
}

/** Fields without a resolver read their name in snake_case. */
function resolversOf(schema: GraphQLSchema, parts: readonly LoadedPart[]): PartsSchema['resolvers'] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  return Object.fromEntries(
    types
      .filter(type => !type.name.startsWith('__'))
      .map(type => {
        const given = Object.assign({}, ...parts.map(({ resolvers }) => resolvers[type.name])) as Record<
          string,
          Resolver
        >
        const resolverOf = ({ name, type: answered }: GraphQLField<unknown, unknown>) =>
          measured(given[name] ?? property(snakeCase(name)), isLeafType(getNamedType(answered)))
        return [
          type.name,
          Object.fromEntries(Object.values(type.getFields()).map(each => [each.name, resolverOf(each)]))
        ]
      })
  )
}

/** Counts what a field adds to the answer: its name, which may be a long alias, and a value that is no object. */
function measured(resolve: Resolver, isLeaf: boolean): Resolver {
  return (parent, args, context, info) => {
    const { size } = context
    size.add(String(info.path.key).length + 4)
    const value = resolve(parent, args, context, info)
    if (!isLeaf) return value
    const counted = (answer: unknown) => {
      size.add(bytesOf(answer))
      return answer
    }
    return value instanceof Promise ? value.then(counted) : counted(value)
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A function is called: what it takes to answer the field is done only when it is asked for. */
function property(name: string): Resolver {
  return parent => {
    const value = (parent as Record<string, unknown> | undefined)?.[name]
    return typeof value === 'function' ? value() : value
  }
}
