import { type App, access, NotFoundError, Type } from '#core'
import type { PostComponents } from '../components.ts'
import { previewHeaders, previewPage } from '../previews/page.ts'
import { postOf } from '../reads/representation.ts'
import { findForPreview } from '../repository/reads.ts'
import { Post, PreviewParameter } from '../schemas.ts'

const config = {
  access: access.preview,
  documentation: { responseHeaders: { 'X-Robots-Tag': '`noindex, nofollow`: no search engine lists it.' } }
}
const about = { tags: ['posts'], params: PreviewParameter }

export function previewRoutes(app: App, components: PostComponents): void {
  const read = async (token: string) => {
    const post = await findForPreview(components.db, components.previews.verify(token))
    if (post === undefined) throw new NotFoundError('The post of this preview link is gone.')
    return post
  }
  const json = {
    ...about,
    operationId: 'previewPost',
    summary: 'A post before it is published',
    response: { 200: Post }
  }
  app.get('/api/posts/preview/:preview_token', { config, schema: json }, async (request, reply) => {
    const post = await read(request.params.preview_token)
    return reply.headers(previewHeaders).send(postOf(post, components.links))
  })
  const html = {
    ...about,
    operationId: 'previewPostPage',
    summary: 'The same as a page',
    response: { 200: { content: { 'text/html': { schema: Type.String() } } } }
  }
  app.get('/preview/:preview_token', { config, schema: html }, async (request, reply) => {
    const post = await read(request.params.preview_token)
    return reply
      .headers(previewHeaders)
      .type('text/html; charset=utf-8')
      .send(previewPage(postOf(post, components.links)))
  })
}
