import { type App, access, principalOf, Type } from '#core'
import { oneLine } from '#text/excerpts'
import type { PostComponents } from '../components.ts'
import { requireIfMatch } from '../edits.ts'
import { entityTag, postOf } from '../reads/representation.ts'
import { requirePost } from '../reads/require-post.ts'
import { resolvePostId } from '../repository/ids.ts'
import { IdParameter, Post, PostPatch, Unpublished } from '../schemas.ts'

const writes = access.bearer('api:write')
const config = {
  access: writes,
  documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT'], checksIfMatch: true }
} as const
const edits = {
  access: writes,
  documentation: { errors: [...config.documentation.errors, 'TASK_IN_PROGRESS'], checksIfMatch: true }
} as const

const moves = { access: writes, documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT'] } } as const

export function editRoutes(app: App, components: PostComponents): void {
  editPostRoute(app, components)
  archivePostRoute(app, components)
  unpublishPostRoute(app, components)
  publishPostRoute(app, components)
  submitPostRoute(app, components)
  restorePostRoute(app, components)
}

function editPostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'editPost',
    tags: ['posts'],
    summary: 'Edit a post; null clears an optional field',
    params: IdParameter,
    body: PostPatch,
    response: { 200: Post }
  }
  app.patch('/api/posts/:post_id', { config: edits, schema }, async (request, reply) => {
    const post_id = await resolvePostId(components.db, request.params.post_id)
    const { title, ...patch } = request.body
    const trimmed = title === undefined ? patch : { ...patch, title: oneLine(title) }
    await components.edits.edit(
      post_id,
      trimmed,
      { actor: principalOf(request).client_id },
      request.headers['if-match']
    )
    const post = await requirePost(components.db, post_id)
    return reply.header('etag', entityTag(post, components.links)).send(postOf(post, components.links))
  })
}

function archivePostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'archivePost',
    tags: ['posts'],
    summary: 'Archive a post (soft delete); archiving again changes nothing',
    params: IdParameter,
    response: { 200: Post }
  }
  app.delete('/api/posts/:post_id', { config, schema }, async (request, reply) => {
    const post_id = await resolvePostId(components.db, request.params.post_id)
    const ifMatch = request.headers['if-match']
    await components.states.archiveChecked(post_id, { actor: principalOf(request).client_id }, post =>
      requireIfMatch(ifMatch, post)
    )
    const post = await requirePost(components.db, post_id)
    return reply.header('etag', entityTag(post, components.links)).send(postOf(post, components.links))
  })
}

function unpublishPostRoute(app: App, { db, states }: PostComponents): void {
  const schema = {
    operationId: 'unpublishPost',
    tags: ['posts'],
    summary: 'Make a published post a draft again',
    params: IdParameter,
    response: { 200: Unpublished }
  }
  const config = { access: writes, documentation: { errors: ['AMBIGUOUS_ID'] } } as const
  app.post('/api/posts/:post_id/unpublish', { config, schema }, async request => {
    const post_id = await resolvePostId(db, request.params.post_id)
    return states.unpublish(post_id, { actor: principalOf(request).client_id })
  })
}

const Publication = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also a draft that nearly repeats another post, that lacks a niche, or whose task was rejected or writes it again.'
      })
    )
  },
  { additionalProperties: false, examples: [{ force: true }, {}], title: 'PostPublication' }
)

function publishPostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'publishPost',
    tags: ['posts'],
    summary: 'Make a post public now; that is its approval, too',
    params: IdParameter,
    body: Publication,
    response: { 200: Post }
  }
  const ofTask = ['TASK_ALREADY_REJECTED', 'TASK_IN_PROGRESS'] as const
  const errors = [...moves.documentation.errors, 'DUPLICATE_CONTENT', 'NICHE_REQUIRED', ...ofTask] as const
  const config = { ...moves, documentation: { errors } } as const
  app.post('/api/posts/:post_id/publish', { config, schema }, async request => {
    const post_id = await resolvePostId(components.db, request.params.post_id)
    const by = { actor: principalOf(request).client_id, skipsChecks: request.body.force ?? false }
    await components.check.checkDuplicate(post_id, by)
    await components.db.transaction(tx => components.states.publish(tx, post_id, by))
    return postOf(await requirePost(components.db, post_id), components.links)
  })
}

function submitPostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'submitPost',
    tags: ['posts'],
    summary: 'Submit a hand-made draft for approval',
    params: IdParameter,
    response: { 200: Post }
  }
  app.post('/api/posts/:post_id/submit', { config: moves, schema }, async request => {
    const post_id = await resolvePostId(components.db, request.params.post_id)
    await components.states.submit(post_id, { actor: principalOf(request).client_id })
    return postOf(await requirePost(components.db, post_id), components.links)
  })
}

function restorePostRoute(app: App, components: PostComponents): void {
  const schema = {
    operationId: 'restorePost',
    tags: ['posts'],
    summary: 'Make an archived post a draft again',
    params: IdParameter,
    response: { 200: Post }
  }
  app.post('/api/posts/:post_id/restore', { config: moves, schema }, async request => {
    const post_id = await resolvePostId(components.db, request.params.post_id)
    await components.states.restore(post_id, { actor: principalOf(request).client_id })
    return postOf(await requirePost(components.db, post_id), components.links)
  })
}
