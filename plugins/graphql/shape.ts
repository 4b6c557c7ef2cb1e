import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode
} from 'graphql'

/** How large a selection is once its fragments are put in. */
export interface Shape {
  readonly depth: number
  /** Aliases, and fields selected again beside themselves. */
  readonly aliases: number
  readonly fields: number
  /** Levels below `__schema` and `__type`. */
  readonly introspectionDepth: number
}

/** What an alias around or below `__schema` counts: each makes the whole schema be told again, and no tool needs one. */
const aliasesInSchema = 5

const nothing: Shape = { depth: 0, aliases: 0, fields: 0, introspectionDepth: 0 }

/** Fragments that spread one another for ever. */
export class CircleError extends Error {}

/**
 * The largest shape among a document's operations, in time linear in the document: a fragment is measured once, however often
 * it is spread. It needs no schema and runs before validation, whose own rules take long for documents made to be hard.
 * @throws CircleError
 */
export function shapeOf({ definitions }: DocumentNode): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const known = new Map<string, Shape>()
  const path: string[] = []

  const ofFragment = (name: string): Shape => {
    const done = known.get(name)
    if (done !== undefined) return done
    if (path.includes(name)) throw new CircleError([...path.slice(path.indexOf(name)), name].join(' → '))
    const fragment = fragments.get(name)
    if (fragment === undefined) return nothing
    path.push(name)
    const shape = ofSelections(fragment.selectionSet, new Set())
    path.pop()
    known.set(name, shape)
    return shape
  }

  const ofField = (node: FieldNode, beside: Set<string>): Shape => {
    const key = node.alias?.value ?? node.name.value
    const aliases = (node.alias === undefined ? 0 : 1) + (beside.has(key) ? 1 : 0)
    beside.add(key)
    const inner = node.selectionSet === undefined ? nothing : ofSelections(node.selectionSet, new Set())
    const isSchema = node.name.value === '__schema' || node.name.value === '__type'
    return {
      aliases: (aliases + inner.aliases) * (isSchema ? aliasesInSchema : 1),
      fields: 1 + inner.fields,
      depth: isSchema ? 1 : 1 + inner.depth,
      introspectionDepth: isSchema ? inner.depth : inner.introspectionDepth
    }
  }

  /** Inline fragments select beside the fields around them. */
  const ofSelections = ({ selections }: SelectionSetNode, beside: Set<string>): Shape =>
    selections
      .map(node => {
        if (node.kind === Kind.FIELD) return ofField(node, beside)
        if (node.kind === Kind.INLINE_FRAGMENT) return ofSelections(node.selectionSet, beside)
        const spread = ofFragment(node.name.value)
        const key = `...${node.name.value}`
        if (!beside.has(key)) {
          beside.add(key)
          return spread
        }
        return { ...spread, aliases: spread.aliases + 1 }
      })
      .reduce(together, nothing)

  for (const name of fragments.keys()) ofFragment(name)
  return definitions
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION)
    .map(({ selectionSet }) => ofSelections(selectionSet, new Set()))
    .concat([...known.values()])
    .reduce(larger, nothing)
}

const together = (a: Shape, b: Shape): Shape => ({
  aliases: a.aliases + b.aliases,
  fields: a.fields + b.fields,
  depth: Math.max(a.depth, b.depth),
  introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth)
})

const larger = (a: Shape, b: Shape): Shape => ({
  ...together(a, b),
  aliases: Math.max(a.aliases, b.aliases),
  fields: Math.max(a.fields, b.fields)
})
