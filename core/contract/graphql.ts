import type { Principal } from './access.ts'
import type { FieldErrors } from './errors.ts'
import { service } from './services.ts'

/** What a resolver knows of the request it answers. */
export interface GraphqlContext {
  /** The authenticated client; null for an anonymous reader. */
  readonly principal: Principal | null
  /**
   * The value of a key, read together with every key that is asked for at the same moment, once in a request:
   * a list of a hundred costs one statement. Undefined when `read` has none for the key.
   */
  load<Value>(read: BatchRead<Value>, key: string): Promise<Value | undefined>
  /** Bytes an answer may have. What is to be read for it should be no more than a few times as much. */
  readonly maxBytes: number
  /** Refuses the query when its answer grows too large by so many bytes. What resolvers return is counted by itself. */
  refuseLarge(bytes: number): void
}

/** Reads the values of many keys in one go. Declare it once: requests for the same function are read together. */
export type BatchRead<Value> = (keys: readonly string[], context: GraphqlContext) => Promise<ReadonlyMap<string, Value>>

/** Returns the value of a field. `parent` is what the parent field's resolver returned, undefined for a field of Query. */
export type GraphqlResolver = (parent: never, args: never, context: GraphqlContext) => unknown

/** A plugin's part of the GraphQL schema. Read only. */
export interface GraphqlModule {
  /**
   * Types of its own, and fields for those of others (`extend type Query { … }`, `extend type Post { … }`), in GraphQL's
   * schema language. Every field of Query states who may ask: `@public`, or `@bearer(scope: "api:read")`, which fits any field.
   * `@cost(weight: 10)` prices what costs more than a field. Lists take `first` or `limit`, which is 1 to 100.
   */
  readonly schema: string
  /** By type and field. A field without one reads its name in snake_case from the parent: `publishedAt` reads `published_at`. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, GraphqlResolver>>>>
  /**
   * By type and field: what is wrong with a field's arguments, under their names or the REST parameters'. All that is wrong
   * with a query is reported at once, before anything is resolved. The texts of a field that has one are left to it, others
   * have 1 to 500 characters.
   */
  readonly checks?: Readonly<Record<string, Readonly<Record<string, GraphqlCheck>>>>
}

export type GraphqlCheck = (args: never) => FieldErrors

/** Who brings a module, and how it is loaded. */
export interface NamedGraphqlModule {
  readonly plugin: string
  /** The plugin is one of this package. */
  readonly isBuiltIn: boolean
  load(): Promise<GraphqlModule>
}

/** The modules that all plugins bring; complete once every plugin is set up. */
export const GraphqlModulesService = service<readonly NamedGraphqlModule[]>('core.graphql_modules')
