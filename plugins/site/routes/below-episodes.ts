import { type App, NotFoundError } from '#core'
import type { SiteComponents } from '../components.ts'
import { noQuery, publicPage } from './page-reply.ts'

/**
 * Players ask for the files below `/episodes` with any `Accept`. So what is not there is refused as a file is, in JSON, and never with
 * a page of the site.
 */
export function belowEpisodesRoute(app: App, { former, hasMedia }: SiteComponents): void {
  if (!hasMedia) return
  const schema = { hide: true, querystring: noQuery }
  app.get('/episodes/*', { config: publicPage, schema }, async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const moved = await former?.find(path)
    // Another import may lead it somewhere else: it must be asked for again.
    if (moved != null) return reply.header('cache-control', 'no-cache').redirect(moved, 301)
    delete request.headers.accept
    throw new NotFoundError(`There is nothing at ${path}: GET /episodes lists the episodes.`)
  })
}
