import type { BatchRead, Db, GraphqlContext, GraphqlModule } from 'galley/plugin'
import { countByPost, type KindCount } from './repository.ts'

const schema = /* GraphQL */ `
  extend type Post {
    "How often readers reacted, by kind"
    reactions: [ReactionCount!]!
  }
  type ReactionCount {
    kind: String!
    count: Int!
  }
`

/** A field of posts: those of a whole list are counted by one statement. */
export function reactionGraphql(db: Db): GraphqlModule {
  const counts: BatchRead<KindCount[]> = async ids => Map.groupBy(await countByPost(db, ids), ({ post_id }) => post_id)
  const reactions = async ({ post_id }: { post_id: string }, _: unknown, context: GraphqlContext) =>
    (await context.load(counts, post_id)) ?? []
  return { schema, resolvers: { Post: { reactions } } }
}
