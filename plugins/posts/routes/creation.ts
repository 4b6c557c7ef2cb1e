import type { FastifyRequest } from 'fastify'
import { type App, access, principalOf, Type, visibleTextPattern } from '#core'
import type { PostComponents } from '../components.ts'
import { mediaKinds } from '../contract/post-ref.ts'
import { postOf } from '../reads/representation.ts'
import { requirePost } from '../reads/require-post.ts'
import { Post, PostPatch } from '../schemas.ts'

const { title, slug, excerpt, category, tags } = PostPatch.properties

const NewPost = Type.Object(
  {
    title,
    slug,
    excerpt,
    category,
    tags,
    content: Type.String({
      minLength: 1,
      maxLength: 500_000,
      pattern: visibleTextPattern,
      description: 'Markdown.',
      examples: ['# How tides follow the moon\n\nTwice a day …']
    }),
    niche_slug: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    status: Type.Optional(Type.Enum(['draft', 'awaiting_approval'], { default: 'draft' })),
    media: Type.Optional(
      Type.Array(Type.Enum([...mediaKinds]), { maxItems: mediaKinds.length, description: 'Media to make for it.' })
    ),
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also when a published title is near, or the same body was just sent.'
      })
    )
  },
  { additionalProperties: false, title: 'NewPost' }
)

const CreatedPost = Type.Object(
  {
    ...Post.properties,
    preview_url: Type.String({
      format: 'uri',
      description: 'Shows the post to whoever has it, for 24 hours.',
      examples: ['https://example.org/preview/eyJhbGciOi']
    })
  },
  { title: 'CreatedPost' }
)

/** Posts made by hand, without the pipeline. */
export function createPostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'createPost',
    tags: ['posts'],
    summary:
      'Make a post by input; the same text by the same client within the window answers 200 with the post there is',
    body: NewPost,
    response: { 200: CreatedPost, 201: CreatedPost }
  }
  const documentation = {
    errors: ['CONFLICT', 'DUPLICATE_TITLE'],
    responseHeaders: { Location: 'Path of the post.' }
  } as const
  app.post(
    '/api/posts',
    { config: { access: access.bearer('api:write'), documentation }, schema },
    async (request, reply) => {
      const { post_id, created } = await create(components, request, request.body)
      const post = await requirePost(components.db, post_id)
      return reply
        .code(created ? 201 : 200)
        .header('location', `/api/posts/${post_id}`)
        .send({ ...postOf(post, components.links), preview_url: await components.previewUrl(post_id) })
    }
  )
}

type Body = {
  content: string
  title?: string
  slug?: string
  excerpt?: string | null
  category?: string | null
  tags?: readonly string[] | null
  niche_slug?: string
  status?: 'draft' | 'awaiting_approval'
  media?: readonly string[]
  force?: boolean
}

async function create({ creation }: PostComponents, request: FastifyRequest, body: Body) {
  const { content, excerpt, niche_slug, status = 'draft', force = false, ...post } = body
  const fields = { ...post, body: content, excerpt: excerpt ?? undefined, niche: niche_slug, status }
  return creation.create({ ...fields, allowsDuplicates: force }, { actor: principalOf(request).client_id })
}
