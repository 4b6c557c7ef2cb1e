import { setting, Type } from '#core'

/** Limits of a query; each is checked before anything is resolved. */
export const graphqlSettings = {
  graphql_max_depth: setting(Type.Integer({ minimum: 3, maximum: 50 }), {
    default: 10,
    describe: 'Levels of fields a GraphQL query may have. Introspection has a limit of its own.'
  }),
  graphql_max_aliases: setting(Type.Integer({ minimum: 0, maximum: 500 }), {
    default: 15,
    describe: 'Aliases and repeated fields a GraphQL query may have.'
  }),
  graphql_max_tokens: setting(Type.Integer({ minimum: 100, maximum: 10_000 }), {
    default: 1_000,
    describe: 'Tokens (names, signs, values) a GraphQL document may have.'
  }),
  graphql_max_cost: setting(Type.Integer({ minimum: 100, maximum: 1_000_000 }), {
    default: 10_000,
    describe: 'Cost a GraphQL query may have: about one for each field of each item.'
  }),
  graphql_max_answer_mb: setting(Type.Integer({ minimum: 1, maximum: 256 }), {
    default: 8,
    describe: 'Size limit of a GraphQL answer in megabytes; a query for more is refused.'
  }),
  graphql_introspection: setting(Type.Enum(['auto', 'on', 'off']), {
    default: 'auto',
    describe:
      'Whether anonymous readers may ask GraphQL for its schema: on, off, or auto, which is off on PostgreSQL. Clients with a token always may.'
  }),
  graphql_persisted_queries: setting(Type.Integer({ minimum: 0, maximum: 100_000 }), {
    default: 1_000,
    describe: 'GraphQL queries a process stores for clients that then send only their hash. 0: none.'
  })
}
