import { type App, NotFoundError } from '#core'
import { purgeBy } from '#plugins/posts'
import type { SiteComponents } from '../components.ts'
import { readStaticPage } from '../reads/static-page.ts'
import { noQuery, pageCache, publicPage, sendHtml, slugParameter } from './page-reply.ts'

/** Below `/pages`, where nothing else is: a slug can be any. */
export function staticPageRoute(app: App, components: SiteComponents): void {
  const { published, site, themes } = components
  const config = { ...publicPage, cache: pageCache(published) }
  const schema = { hide: true, params: slugParameter, querystring: noQuery }
  app.get('/pages/:slug', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    // No post is on it.
    purgeBy(request)
    const read = await site.read()
    const page = await readStaticPage(components, read.view, slug)
    if (page === undefined) throw new NotFoundError(`There is no page ${slug}.`)
    return sendHtml(reply, await themes.render('staticPage', read.data, page.view), page.isComplete)
  })
}
