import { type DefinitionNode, type DocumentNode, Kind } from 'graphql'
import type { BootProblem, GraphqlCheck, GraphqlResolver } from '#core'

/** A plugin's part of the schema, parsed. */
export interface LoadedModule {
  readonly plugin: string
  readonly document: DocumentNode
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, GraphqlResolver>>>>
  readonly checks: Readonly<Record<string, Readonly<Record<string, GraphqlCheck>>>>
}

export const moduleProblem = (plugin: string, cause: string): BootProblem => ({
  plugin,
  cause: `its part of the GraphQL schema ${cause}`,
  remedy: 'Repair the plugin, or remove it from plugins.config.json.'
})

/** Names that two modules define, and types that a read-only schema does not have. */
export function duplicateNames(modules: readonly LoadedModule[]): BootProblem[] {
  const owner = new Map<string, string>()
  return modules.flatMap(({ plugin, document }) =>
    namesOf(document).flatMap(name => {
      if (name === 'Mutation' || name === 'Subscription')
        return [moduleProblem(plugin, `has a type ${name}: it is read only`)]
      const first = owner.get(name)
      if (first === undefined) owner.set(name, plugin)
      return first === undefined ? [] : [moduleProblem(plugin, `defines ${name}, which ${first} brings already`)]
    })
  )
}

/** `Post` for a type, `Post.title` for a field added to one. */
export function namesOf({ definitions }: DocumentNode): string[] {
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

/** Resolvers and checks for fields that the part does not define. They would replace those of another plugin. */
export function unknownFields({ plugin, document, resolvers, checks }: LoadedModule): BootProblem[] {
  const defined = new Set(document.definitions.flatMap(fieldsOf))
  const unknown = (verb: string, given: Readonly<Record<string, object>>) =>
    Object.entries(given).flatMap(([type, fields]) =>
      Object.keys(fields)
        .filter(field => !defined.has(`${type}.${field}`))
        .map(field => moduleProblem(plugin, `${verb} ${type}.${field}, which it does not define`))
    )
  return [...unknown('resolves', resolvers), ...unknown('checks', checks)]
}
