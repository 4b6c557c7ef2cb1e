import { type GraphQLField, type GraphQLSchema, getDirectiveValues, isObjectType, validateSchema } from 'graphql'
import { allScopes, type BootProblem, type GraphqlCheck, type Scope } from '#core'
import { type LoadedModule, moduleProblem, namesOf } from './module-checks.ts'

/** The access, the cost and the check of a field. */
interface FieldRule {
  /** The scope a token needs; undefined when anybody may ask. */
  readonly scope?: Scope
  readonly weight: number
  /** It counts as a search in the limit of anonymous clients. */
  readonly isRateLimited?: boolean
  /** The part's own check of the arguments. */
  readonly check?: GraphqlCheck
}
const rules = new WeakMap<object, FieldRule>()
const defaultRule: FieldRule = { weight: 1 }
export const ruleOf = (field: GraphQLField<unknown, unknown>): FieldRule => rules.get(field) ?? defaultRule

/** The names of the fields of Query that count as searches. The rules have been read. */
export const rateLimitedFields = (schema: GraphQLSchema): ReadonlySet<string> =>
  new Set(
    Object.values(schema.getQueryType()?.getFields() ?? {})
      .filter(field => ruleOf(field).isRateLimited === true)
      .map(({ name }) => name)
  )

/** Stores the rule of each field. Every field of Query has to state who may ask for it, as every route does. */
export function readRules(schema: GraphQLSchema, modules: readonly LoadedModule[]): BootProblem[] {
  const problems: BootProblem[] = validateSchema(schema).map(({ message }) =>
    moduleProblem('graphql', `is wrong (${message})`)
  )
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const { isStated, unknownScope, rule } = readRule(schema, field)
      const check = modules.map(({ checks }) => checks[type.name]?.[field.name]).find(each => each !== undefined)
      rules.set(field, check === undefined ? rule : { ...rule, check })
      const owner = modules.find(({ document }) => namesOf(document).includes(`${type.name}.${field.name}`))?.plugin
      if (unknownScope !== undefined)
        problems.push(moduleProblem(owner ?? 'graphql', `asks for the unknown scope ${unknownScope} at ${field.name}`))
      if (type !== schema.getQueryType() && rule.isRateLimited)
        problems.push(moduleProblem(owner ?? 'graphql', `limits ${field.name}, which is no field of Query`))
      if (type === schema.getQueryType() && !isStated)
        problems.push(
          moduleProblem(owner ?? 'graphql', `does not say who may ask for ${field.name}: @public or @bearer`)
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
  const bearer = valuesOf('bearer')
  const scope = allScopes.find(each => each === bearer?.scope)
  const weight = valuesOf('cost')?.weight
  return {
    isStated: bearer !== undefined || valuesOf('public') !== undefined,
    unknownScope: bearer === undefined || scope !== undefined ? undefined : String(bearer.scope),
    rule: {
      weight: typeof weight === 'number' ? weight : 1,
      scope,
      isRateLimited: valuesOf('rateLimited') !== undefined
    } satisfies FieldRule
  }
}
