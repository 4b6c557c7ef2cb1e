import { access, type Db, type FastifyPluginAsyncTypebox, Type } from 'galley/plugin'
import type { Reactions } from './reactions.ts'
import { countByKind } from './repository.ts'

const PostId = Type.Object({ post_id: Type.String({ format: 'uuid' }) })

export const reactionRoutes =
  ({ db, reactions }: { db: Db; reactions: Reactions }): FastifyPluginAsyncTypebox =>
  async app => {
    app.get('/api/reactions/:post_id', { config: { access: access.public }, schema: countSchema }, async request => ({
      items: await countByKind(db, request.params.post_id)
    }))
    app.post(
      '/api/reactions/:post_id',
      { config: { access: access.public }, schema: reactSchema },
      async (request, reply) => reply.code(201).send(await reactions.react(request.params.post_id, request.body))
    )
  }

const countSchema = {
  operationId: 'countReactions',
  tags: ['reactions'],
  summary: 'How often readers reacted to a post, by kind',
  params: PostId,
  response: { 200: Type.Object({ items: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() })) }) }
}

const reactSchema = {
  operationId: 'reactToPost',
  tags: ['reactions'],
  summary: 'React to a public post',
  params: PostId,
  body: Type.Object({
    kind: Type.String({ minLength: 1, maxLength: 40 }),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))
  }),
  response: {
    201: Type.Object({
      reaction_id: Type.String(),
      post_id: Type.String(),
      kind: Type.String(),
      note: Type.Union([Type.String(), Type.Null()]),
      status: Type.String(),
      created_at: Type.String()
    })
  }
}
