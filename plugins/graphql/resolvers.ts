import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType
} from 'graphql'
import { type GraphqlContext, isObject } from '#core'
import { snakeCase } from './field-names.ts'
import type { LoadedModule } from './module-checks.ts'
import { jsonBytes, type ResponseSize } from './response-size.ts'

/** The context of resolvers, with the size of the answer. */
export type MeasuredContext = GraphqlContext & { readonly size: ResponseSize }
type Resolver = GraphQLFieldResolver<unknown, MeasuredContext>

/** By type and field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>

/** The resolvers of all fields. A field without one reads its name in snake_case. */
export function resolversOf(schema: GraphQLSchema, modules: readonly LoadedModule[]): Resolvers {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  return Object.fromEntries(
    types
      .filter(type => !type.name.startsWith('__'))
      .map(type => {
        const resolverOf = ({ name, type: answered }: GraphQLField<unknown, unknown>) =>
          countBytes(
            givenResolver(modules, type.name, name) ?? property(snakeCase(name)),
            isLeafType(getNamedType(answered))
          )
        return [
          type.name,
          Object.fromEntries(Object.values(type.getFields()).map(each => [each.name, resolverOf(each)]))
        ]
      })
  )
}

const givenResolver = (modules: readonly LoadedModule[], type: string, field: string): Resolver | undefined =>
  // A part declares the parents and arguments that its resolver is called with.
  modules.map(({ resolvers }) => resolvers[type]?.[field]).findLast(each => each !== undefined) as Resolver | undefined

/** Counts what a field adds to the answer: its name, which may be a long alias, and its scalar value. */
function countBytes(resolve: Resolver, isLeaf: boolean): Resolver {
  return (parent, args, context, info) => {
    const { size } = context
    size.add(String(info.path.key).length + 4)
    const value = resolve(parent, args, context, info)
    if (!isLeaf) return value
    const counted = (answer: unknown) => {
      size.add(jsonBytes(answer))
      return answer
    }
    return value instanceof Promise ? value.then(counted) : counted(value)
  }
}

/** A property that is a function is called: so its work is done only when the field is requested. */
function property(name: string): Resolver {
  return parent => {
    const value = isObject(parent) ? parent[name] : undefined
    return typeof value === 'function' ? value() : value
  }
}
