import { type App, NotFoundError, requestSignal } from '#core'
import { purgeBy, purgeTag } from '#plugins/posts'
import type { SiteComponents } from '../components.ts'
import { trusted } from '../html/html.ts'
import { numbered, partView } from '../reads/lists.ts'
import { withPictures } from '../reads/pictured.ts'
import { readPostPage } from '../reads/post.ts'
import type { PostView } from '../views.ts'
import { noQuery, pageCache, pageQuery, publicPage, searchQuery, sendHtml, slugParameter } from './page-reply.ts'

/** Categories on the home page. */
const maxCategories = 20

/** A post by its number, as WordPress has it. */
const numberedPost = /[?&](?:p|page_id)=/

export function homeRoute(app: App, { db, published, former, site, lists, themes }: SiteComponents): void {
  const config = { ...publicPage, cache: pageCache(published) }
  app.get('/', { config, schema: { hide: true, querystring: pageQuery } }, async (request, reply) => {
    const moved = numberedPost.test(request.url) ? await former?.find(request.url) : undefined
    // Another import may lead it somewhere else: it must be asked for again.
    if (moved != null) return reply.header('cache-control', 'no-cache').redirect(moved, 301)
    const read = await site.read()
    const [{ part, isComplete }, categories] = await Promise.all([
      lists.part({}, request.query.page ?? 1, numbered(read.view.path('/'))),
      published.categories(db)
    ])
    const view = { part, categories: categories.slice(0, maxCategories) }
    return sendHtml(reply, await themes.render('home', read.data, view), isComplete)
  })
}

export function archiveRoute(app: App, { published, site, lists, themes }: SiteComponents): void {
  const config = { ...publicPage, cache: pageCache(published) }
  app.get('/archive', { config, schema: { hide: true, querystring: pageQuery } }, async (request, reply) => {
    const read = await site.read()
    const part = await lists.archive(request.query.page ?? 1, numbered(read.view.path('/archive')))
    return sendHtml(reply, await themes.render('archive', read.data, { part }))
  })
}

export function categoryRoute(app: App, { db, published, site, lists, themes }: SiteComponents): void {
  const config = { ...publicPage, cache: pageCache(published) }
  const schema = { hide: true, params: slugParameter, querystring: pageQuery }
  app.get('/categories/:slug', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.category(slug))
    const category = await published.category(db, slug)
    if (category === undefined) throw new NotFoundError(`There is no category ${slug}.`)
    const read = await site.read()
    const urlOf = numbered(read.view.path(`/categories/${slug}`))
    const { part, isComplete } = await lists.part({ category: slug }, request.query.page ?? 1, urlOf)
    const view = { kind: 'category', ...category, part } as const
    return sendHtml(reply, await themes.render('label', read.data, view), isComplete)
  })
}

export function tagRoute(app: App, { db, published, site, lists, themes }: SiteComponents): void {
  const config = { ...publicPage, cache: pageCache(published) }
  const schema = { hide: true, params: slugParameter, querystring: pageQuery }
  app.get('/tags/:slug', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.tag(slug))
    const tag = await published.tag(db, slug)
    if (tag === undefined) throw new NotFoundError(`There is no tag ${slug}.`)
    const read = await site.read()
    const urlOf = numbered(read.view.path(`/tags/${slug}`))
    const { part, isComplete } = await lists.part({ tag: slug }, request.query.page ?? 1, urlOf)
    const view = { kind: 'tag', ...tag, description: '', part } as const
    return sendHtml(reply, await themes.render('label', read.data, view), isComplete)
  })
}

export function postRoute(app: App, components: SiteComponents): void {
  const { db, published, search, site, themes } = components
  const config = { ...publicPage, cache: pageCache(published, ...(search?.cacheTags ?? [])) }
  const schema = { hide: true, params: slugParameter, querystring: noQuery }
  app.get('/posts/:slug', { config, schema }, async (request, reply) => {
    const { slug } = request.params
    const read = await site.read()
    const post = await readPostPage(components, read.view, slug)
    purgeBy(request, ...(post === undefined ? [purgeTag.post(slug)] : tagsOf(post.view)))
    if (post !== undefined) return sendHtml(reply, await themes.render('post', read.data, post.view), post.isComplete)
    const newSlug = await published.findCurrentSlug(db, slug)
    if (newSlug === undefined) throw new NotFoundError(`There is no post ${slug}.`)
    // A redirect ends when another post takes the slug: it must be asked for again.
    return reply.header('cache-control', 'no-cache').redirect(read.view.path(`/posts/${newSlug}`), 301)
  })
}

/** Of all that the page of a post shows: its own text, and the names of others. */
function tagsOf({ post, category, previous, next, related }: PostView): string[] {
  const shown = [post, previous, next, ...related].flatMap(each => (each === null ? [] : purgeTag.post(each.slug)))
  return category === null ? shown : [...shown, purgeTag.categoryName(category.slug)]
}

export function searchRoute(
  app: App,
  { published, search, settings, site, themes, pictureSizes }: SiteComponents
): void {
  if (search === undefined) return
  const cache = { ...pageCache(published, ...search.cacheTags), isCachedOnRepeat: true }
  const config = { ...publicPage, cost: 'scan', rateLimit: 'query', cache } as const
  app.get('/search', { config, schema: { hide: true, querystring: searchQuery } }, async (request, reply) => {
    const { page = 1, q: asked = '' } = request.query
    const q = asked.trim()
    const read = await site.read()
    if (q === '') return sendHtml(reply, await themes.render('search', read.data, { q, found: null }))
    const size = settings.get('site_posts_per_page')
    const found = await search.find(q, { limit: size, offset: (page - 1) * size }, requestSignal(request))
    const part = partView({ page, size, total: found.total, urlOf: numbered(read.view.path('/search'), { q }) })
    const { posts: pictured, isComplete } = await withPictures(found.items, pictureSizes)
    const posts = pictured.map(post => ({ ...post, snippet: trusted(post.snippet) }))
    const corrected = found.corrected.map(({ to }) => to)
    const rendered = await themes.render('search', read.data, { q, found: { ...part, posts, corrected } })
    return sendHtml(reply, rendered, isComplete && !found.isDegraded)
  })
}

export function podcastRoute(app: App, { published, hasMedia, site, lists, themes }: SiteComponents): void {
  if (!hasMedia) return
  const config = { ...publicPage, cache: pageCache(published) }
  app.get('/podcast', { config, schema: { hide: true, querystring: pageQuery } }, async (request, reply) => {
    const read = await site.read()
    const { part } = await lists.part(
      { medium: 'podcast' },
      request.query.page ?? 1,
      numbered(read.view.path('/podcast'))
    )
    return sendHtml(reply, await themes.render('podcast', read.data, { part }))
  })
}
