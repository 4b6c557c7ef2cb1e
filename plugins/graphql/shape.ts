import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit
} from 'graphql'

/** The size of a selection with its fragments expanded. */
export interface Shape {
  readonly depth: number
  /** Aliases, and fields that are selected twice. */
  readonly aliases: number
  readonly fields: number
  /** Levels below `__schema` and `__type`. */
  readonly introspectionDepth: number
}

/** Weight of an alias around or below `__schema`: each repeats the whole schema, and no tool needs one. */
const aliasesInSchema = 5

const empty: Shape = { depth: 0, aliases: 0, fields: 0, introspectionDepth: 0 }

/** Fragments that spread each other endlessly. */
export class FragmentCycleError extends Error {}

/**
 * The largest shape among a document's operations, in linear time: each fragment is measured once. It needs no schema, and
 * runs before validation, whose rules are slow for hostile documents.
 * @throws FragmentCycleError
 */
export function shapeOf(document: DocumentNode): Shape {
  const fragments = fragmentsIn(document)
  const measured = new Map<string, Shape>()
  const path: string[] = []

  const ofFragment = (name: string): Shape => {
    const cached = measured.get(name)
    if (cached !== undefined) return cached
    if (path.includes(name)) throw new FragmentCycleError([...path.slice(path.indexOf(name)), name].join(' → '))
    const fragment = fragments.get(name)
    if (fragment === undefined) return empty
    path.push(name)
    const shape = ofSelections(fragment.selectionSet, new Set())
    path.pop()
    measured.set(name, shape)
    return shape
  }

  const ofField = (node: FieldNode, siblings: Set<string>): Shape => {
    const key = node.alias?.value ?? node.name.value
    const aliases = (node.alias === undefined ? 0 : 1) + (siblings.has(key) ? 1 : 0)
    siblings.add(key)
    const inner = node.selectionSet === undefined ? empty : ofSelections(node.selectionSet, new Set())
    const isSchema = node.name.value === '__schema' || node.name.value === '__type'
    return {
      aliases: (aliases + inner.aliases) * (isSchema ? aliasesInSchema : 1),
      fields: 1 + inner.fields,
      depth: isSchema ? 1 : 1 + inner.depth,
      introspectionDepth: isSchema ? inner.depth : inner.introspectionDepth
    }
  }

  /** Fields of inline fragments are siblings of the fields around them. */
  const ofSelections = ({ selections }: SelectionSetNode, siblings: Set<string>): Shape =>
    selections
      .map(node => {
        if (node.kind === Kind.FIELD) return ofField(node, siblings)
        if (node.kind === Kind.INLINE_FRAGMENT) return ofSelections(node.selectionSet, siblings)
        const spread = ofFragment(node.name.value)
        const key = `...${node.name.value}`
        if (!siblings.has(key)) {
          siblings.add(key)
          return spread
        }
        return { ...spread, aliases: spread.aliases + 1 }
      })
      .reduce(add, empty)

  const alone = [...fragments].map(([name, fragment]) => ofFragmentAlone(fragment, ofFragment(name)))
  return document.definitions
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION)
    .map(({ selectionSet }) => ofSelections(selectionSet, new Set()))
    .concat(alone)
    .reduce(larger, empty)
}

/** A field that an operation selects itself. */
export interface RootField {
  readonly name: string
  /** Its alias, else its name: those that have one of these in common are resolved together. */
  readonly key: string
  /** Its `@skip` and `@include`, and those of the fragments around it. */
  readonly conditions: readonly Condition[]
}
interface Condition {
  readonly isSkip: boolean
  /** Of a variable its default; undefined where it has none. */
  readonly value: boolean | undefined
  readonly variable: string | undefined
}

/**
 * The fields that an operation selects itself, its fragments expanded once, in linear time. Where a fragment is spread again, the
 * conditions of its spreads are left out: one may have none.
 */
export function rootFieldsOf(
  document: DocumentNode,
  { selectionSet, variableDefinitions = [] }: OperationDefinitionNode
): RootField[] {
  const unseen = new Map(fragmentsIn(document))
  const spreads = countSpreads(document)
  const defaults = new Map(variableDefinitions.map(each => [each.variable.name.value, booleanOf(each.defaultValue)]))
  const fieldsIn = (set: SelectionSetNode | undefined, around: readonly Condition[]): RootField[] =>
    (set?.selections ?? []).flatMap(node => {
      const conditions = [...around, ...conditionsOf(node, defaults)]
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = unseen.get(node.name.value)
        unseen.delete(node.name.value)
        return fieldsIn(fragment?.selectionSet, spreads.get(node.name.value) === 1 ? conditions : [])
      }
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsIn(node.selectionSet, conditions)
      return [{ name: node.name.value, key: node.alias?.value ?? node.name.value, conditions }]
    })
  return fieldsIn(selectionSet, [])
}

/** How often each fragment is spread. */
function countSpreads(document: DocumentNode): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  visit(document, {
    FragmentSpread: ({ name: { value } }) => void counts.set(value, (counts.get(value) ?? 0) + 1)
  })
  return counts
}

const booleanOf = (value: ValueNode | undefined): boolean | undefined =>
  value?.kind === Kind.BOOLEAN ? value.value : undefined

const conditionsOf = (
  { directives = [] }: SelectionNode,
  defaults: ReadonlyMap<string, boolean | undefined>
): Condition[] =>
  directives.flatMap(({ name, arguments: given = [] }) => {
    const value = given.find(argument => argument.name.value === 'if')?.value
    if (name.value !== 'skip' && name.value !== 'include') return []
    const variable = value?.kind === Kind.VARIABLE ? value.name.value : undefined
    return {
      isSkip: name.value === 'skip',
      value: variable === undefined ? booleanOf(value) : defaults.get(variable),
      variable
    }
  })

/** The names of the root fields that are resolved with these variables, one as often as it is. What is not certain counts. */
export function resolvedNames(fields: readonly RootField[], variables: Readonly<Record<string, unknown>>): string[] {
  const isLeftOut = ({ isSkip, value, variable }: Condition) =>
    (variable !== undefined && Object.hasOwn(variables, variable) ? variables[variable] : value) === isSkip
  const resolved = fields.filter(({ conditions }) => !conditions.some(isLeftOut))
  return [...new Map(resolved.map(({ key, name }) => [key, name])).values()]
}

/** A fragment on a type of the schema's own, such as `__Type`, can be spread below `__schema` or `__type` only. */
function ofFragmentAlone({ typeCondition }: FragmentDefinitionNode, shape: Shape): Shape {
  const isOfSchema = typeCondition.name.value.startsWith('__')
  return isOfSchema ? { ...shape, depth: 0, introspectionDepth: shape.depth } : shape
}

/** The fragments of a document by name. */
export const fragmentsIn = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(definition => [definition.name.value, definition])
  )

const add = (a: Shape, b: Shape): Shape => ({
  aliases: a.aliases + b.aliases,
  fields: a.fields + b.fields,
  depth: Math.max(a.depth, b.depth),
  introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth)
})

const larger = (a: Shape, b: Shape): Shape => ({
  ...add(a, b),
  aliases: Math.max(a.aliases, b.aliases),
  fields: Math.max(a.fields, b.fields)
})
