import {
  buildSchema,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType
} from 'graphql'

/**
 * The promises of a GraphQL schema, one a line: its types, fields, arguments and values. A demand is written as its
 * absence: an argument that becomes required loses its line `may be left out`, a field that may become null its line `never null`.
 */
export function graphqlLines(text: string): string[] {
  const schema = buildSchema(text)
  const types = Object.values(schema.getTypeMap()).filter(
    type => !isIntrospectionType(type) && !isSpecifiedScalarType(type)
  )
  return types.flatMap(type => {
    const name = `graphql ${type.name}`
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    return [`${name} is ${kindOf(type)}`, ...possible.map(each => `${name} may be ${each.name}`), ...partLines(type)]
  })
}

function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'an object'
  if (isInterfaceType(type)) return 'an interface'
  if (isUnionType(type)) return 'a union'
  if (isEnumType(type)) return 'an enum'
  return isInputObjectType(type) ? 'an input' : 'a scalar'
}

function partLines(type: GraphQLNamedType): string[] {
  const name = `graphql ${type.name}`
  if (isEnumType(type)) return type.getValues().map(value => `${name} = ${value.name}`)
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap(field =>
      argumentLines(`${name} takes ${field.name}`, field, isRequiredInputField(field))
    )
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap(field => surfaceLines(`${name}.${field.name}`, field))
}

function surfaceLines(name: string, { type, args, astNode }: GraphQLField<unknown, unknown>): string[] {
  return [
    `${name}: ${shapeOf(type)}`,
    ...nonNullLines(name, type),
    accessOf(name, astNode?.directives ?? []),
    ...args.flatMap(each => argumentLines(`${name} takes ${each.name}`, each, isRequiredArgument(each)))
  ]
}

function argumentLines(name: string, { type }: GraphQLArgument | GraphQLInputField, isRequired: boolean): string[] {
  const mayBeNull = nullablePositions(type).map(place => `${name}${place}, which may be null`)
  return [`${name}: ${shapeOf(type)}`, ...(isRequired ? [] : [`${name}, which may be left out`]), ...mayBeNull]
}

/** The type without what it says of null. */
const shapeOf = (type: GraphQLType): string => String(type).replaceAll('!', '')

const nonNullLines = (name: string, type: GraphQLType): string[] => {
  const nullable = nullablePositions(type)
  return positionsOf(type)
    .filter(place => !nullable.includes(place))
    .map(place => `${name}${place} is never null`)
}

/** The value itself, and the items of its lists: `['', '[]']` for a list. */
const positionsOf = (type: GraphQLType, place = ''): string[] => {
  const nullableType = isNonNullType(type) ? type.ofType : type
  return [place, ...(isListType(nullableType) ? positionsOf(nullableType.ofType, `${place}[]`) : [])]
}

function nullablePositions(type: GraphQLType, place = ''): string[] {
  const nullableType = isNonNullType(type) ? type.ofType : type
  const inner = isListType(nullableType) ? nullablePositions(nullableType.ofType, `${place}[]`) : []
  return [...(isNonNullType(type) ? [] : [place]), ...inner]
}

function accessOf(name: string, directives: readonly ConstDirectiveNode[]): string {
  const bearer = directives.find(directive => directive.name.value === 'bearer')
  const scope = bearer?.arguments?.find(argument => argument.name.value === 'scope')?.value
  return scope?.kind === 'StringValue' ? `${name} is allowed to ${scope.value}` : `${name} needs no token`
}
