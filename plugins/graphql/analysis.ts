import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode
} from 'graphql'
import { type FieldErrors, type Scope, textFault } from '#core'
import { camelCase } from './field-names.ts'
import { ruleOf } from './field-rules.ts'
import { fragmentsIn } from './shape.ts'

/** What an operation with its variables asks for. */
export interface Analysis {
  readonly cost: number
  /** The scopes a token needs, each with the first field that requires it. */
  readonly scopes: ReadonlyMap<Scope, string>
  /** Introspection fields: `__schema`, `__type`. */
  readonly introspection: ReadonlySet<string>
  /** Arguments out of bounds, by `field.argument`. */
  readonly faults: Readonly<Record<string, string>>
}

/** Assumed items of a list without a size argument. */
const defaultItems = 10
const maxItems = 100
const maxTextLength = 500
const sizeArguments = ['first', 'limit'] as const

type Variables = Readonly<Record<string, unknown>>

/** An analysis under way. */
interface Walk {
  readonly schema: GraphQLSchema
  readonly fragments: ReturnType<typeof fragmentsIn>
  readonly variables: Variables
  readonly scopes: Map<Scope, string>
  readonly faults: Record<string, string>
  readonly introspection: Set<string>
  /** By name and number of items: a fragment is analysed once for each. */
  readonly fragmentCosts: Map<string, number>
}

/** Analyses a valid document. */
export function analyse(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables
): Analysis {
  const walk: Walk = {
    schema,
    fragments: fragmentsIn(document),
    variables,
    scopes: new Map(),
    faults: {},
    introspection: new Set(),
    fragmentCosts: new Map()
  }
  const root = schema.getQueryType()
  const cost = root == null ? 0 : costOf(walk, operation.selectionSet, root, undefined)
  const { scopes, introspection, faults } = walk
  return { cost, scopes, introspection, faults }
}

/** `items` is the size of the lists directly below, when an enclosing field states it. */
const costOf = (
  walk: Walk,
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
  items: number | undefined
): number =>
  selections.reduce((sum, node) => {
    if (isLeftOut(node, walk.variables)) return sum
    if (node.kind === Kind.FIELD) return sum + costOfField(walk, node, type, items)
    if (node.kind === Kind.FRAGMENT_SPREAD) return sum + costOfFragment(walk, node.name.value, items)
    const narrowed = node.typeCondition && walk.schema.getType(node.typeCondition.name.value)
    return sum + costOf(walk, node.selectionSet, isCompositeType(narrowed) ? narrowed : type, items)
  }, 0)

/** As the execution decides it: what is left out costs nothing, and needs no token. */
const isLeftOut = (node: SelectionNode, variables: Variables): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false

function costOfFragment(walk: Walk, name: string, items: number | undefined): number {
  const { schema, fragments, fragmentCosts } = walk
  const key = `${name} ${items}`
  const cached = fragmentCosts.get(key)
  if (cached !== undefined) return cached
  const fragment = fragments.get(name)
  const type = fragment && schema.getType(fragment.typeCondition.name.value)
  const cost = fragment && isCompositeType(type) ? costOf(walk, fragment.selectionSet, type, items) : 0
  fragmentCosts.set(key, cost)
  return cost
}

/** The cost of a field and of what is below it. Notes its scope, its faults and what it asks of the schema. */
function costOfField(walk: Walk, node: FieldNode, parent: GraphQLCompositeType, items: number | undefined): number {
  const { variables, scopes, faults, introspection } = walk
  if (node.name.value === '__schema' || node.name.value === '__type') introspection.add(node.name.value)
  const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined
  if (field === undefined) return 1
  const { weight, scope } = ruleOf(field)
  if (scope !== undefined && !scopes.has(scope)) scopes.set(scope, `${parent.name}.${field.name}`)
  const requested = field.args.length === 0 ? undefined : requestedItems(field, node, variables, faults)
  const type = getNamedType(field.type)
  if (node.selectionSet === undefined || !isCompositeType(type)) return weight
  const isList = isListType(getNullableType(field.type))
  const factor = isList ? (requested ?? items ?? defaultItems) : 1
  return weight + factor * costOf(walk, node.selectionSet, type, isList ? undefined : requested)
}

/** The number of items that a field's arguments ask for. Adds errors of the arguments to `faults`. */
function requestedItems(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
  faults: Record<string, string>
): number | undefined {
  const values = getArgumentValues(field, node, variables)
  const label = node.alias?.value ?? field.name
  for (const [name, fault] of Object.entries(argumentFaults(field, values)))
    faults[`${label}.${camelCase(name)}`] = fault
  for (const name of sizeArguments) {
    const items = values[name]
    if (typeof items !== 'number') continue
    if (items >= 1 && items <= maxItems) return items
    faults[`${label}.${name}`] = `must be 1 to ${maxItems}`
    return maxItems
  }
  return undefined
}

function argumentFaults(field: GraphQLField<unknown, unknown>, values: Variables): FieldErrors {
  const { check } = ruleOf(field)
  // The schema has validated the arguments: they are of the type that the check declares.
  if (check !== undefined) return check(values as never)
  const faults = Object.entries(values).map(([name, value]) => [name, [value].flat().map(argumentFault).find(Boolean)])
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined))
}

function argumentFault(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text.trim() === '') return 'must not be blank'
  const { length } = [...text]
  if (length > maxTextLength) return `must have at most ${maxTextLength} characters; it has ${length}`
  return textFault(text)
}
