import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
  printSchema
} from 'graphql'

/** The schema as text, with its directives for access and cost; types by name. */
export function schemaText(schema: GraphQLSchema): string {
  const { definitions } = parse(printSchema(schema))
  const directivesOf = (type: string, field: string) => {
    const object = schema.getType(type)
    return isObjectType(object) ? object.getFields()[field]?.astNode?.directives : undefined
  }
  const withDirectives = (definition: DefinitionNode): DefinitionNode => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition
    const fields = definition.fields?.map(
      (field): FieldDefinitionNode => ({ ...field, directives: directivesOf(definition.name.value, field.name.value) })
    )
    return { ...definition, fields }
  }
  const own = definitions.filter(definition => !isBuiltIn(schema, definition)).map(withDirectives)
  return `${own.sort(queryFirst).map(print).join('\n\n')}\n`
}

function isBuiltIn(schema: GraphQLSchema, definition: DefinitionNode): boolean {
  if (!('name' in definition) || definition.name === undefined) return false
  const name = definition.name.value
  const type = schema.getType(name)
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
    const directive = schema.getDirective(name)
    return directive != null && isSpecifiedDirective(directive)
  }
  return type !== undefined && (isIntrospectionType(type) || isSpecifiedScalarType(type))
}

/** Directives, then Query, then the types by name. */
function queryFirst(a: DefinitionNode, b: DefinitionNode): number {
  const keyOf = (definition: DefinitionNode) => {
    const name = 'name' in definition ? (definition.name?.value ?? '') : ''
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) return `0${name}`
    return name === 'Query' ? '1' : `2${name}`
  }
  const first = keyOf(a)
  const second = keyOf(b)
  return first < second ? -1 : first > second ? 1 : 0
}
