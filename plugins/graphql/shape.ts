import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
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

/**
 * The names of the fields that an operation selects itself, its fragments expanded, in linear time. Fields of one name or alias
 * are resolved together: they count once, and so does a fragment.
 */
export function rootFieldsOf(document: DocumentNode, { selectionSet }: OperationDefinitionNode): string[] {
  const unseen = new Map(fragmentsIn(document))
  const fieldsIn = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap(node => {
      if (node.kind === Kind.FIELD) return [node]
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsIn(node.selectionSet)
      const fragment = unseen.get(node.name.value)
      unseen.delete(node.name.value)
      return fieldsIn(fragment?.selectionSet)
    })
  const byKey = new Map(fieldsIn(selectionSet).map(({ alias, name }) => [alias?.value ?? name.value, name.value]))
  return [...byKey.values()]
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
