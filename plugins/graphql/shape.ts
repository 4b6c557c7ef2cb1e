import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode
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
  /** Its `@skip` and `@include`, and those of the inline fragments around it. */
  readonly conditions: readonly Condition[]
}
interface Condition {
  readonly isSkip: boolean
  /** Undefined where a variable has the value. */
  readonly value: boolean | undefined
  readonly variable: string | undefined
}

/**
 * The fields that an operation selects itself, its fragments expanded once, in linear time. Conditions of a spread are left out:
 * the fragment may be spread again without them.
 */
export function rootFieldsOf(document: DocumentNode, { selectionSet }: OperationDefinitionNode): RootField[] {
  const unseen = new Map(fragmentsIn(document))
  const fieldsIn = (set: SelectionSetNode | undefined, around: readonly Condition[]): RootField[] =>
    (set?.selections ?? []).flatMap(node => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = unseen.get(node.name.value)
        unseen.delete(node.name.value)
        return fieldsIn(fragment?.selectionSet, [])
      }
      const conditions = [...around, ...conditionsOf(node)]
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsIn(node.selectionSet, conditions)
      return [{ name: node.name.value, key: node.alias?.value ?? node.name.value, conditions }]
    })
  return fieldsIn(selectionSet, [])
}

const conditionsOf = ({ directives = [] }: FieldNode | InlineFragmentNode): Condition[] =>
  directives.flatMap(({ name, arguments: given = [] }) => {
    const value = given.find(argument => argument.name.value === 'if')?.value
    if (name.value !== 'skip' && name.value !== 'include') return []
    return {
      isSkip: name.value === 'skip',
      value: value?.kind === Kind.BOOLEAN ? value.value : undefined,
      variable: value?.kind === Kind.VARIABLE ? value.name.value : undefined
    }
  })

/** The names of the root fields that are resolved with these variables, one as often as it is. What is not certain counts. */
export function resolvedNames(fields: readonly RootField[], variables: Readonly<Record<string, unknown>>): string[] {
  const isLeftOut = ({ isSkip, value, variable }: Condition) =>
    (variable === undefined ? value : variables[variable]) === isSkip
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
