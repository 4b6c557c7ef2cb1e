import { type App, access, NotFoundError } from '#core'
import { addPageLinks, type PageRequest, pageRequest, sendPage, toPage } from '#lists'
import { purgeBy, purgeTag } from '../cache-tags.ts'
import type { PostComponents } from '../components.ts'
import { cursorOf, postPage, publicRead } from '../reads/pages.ts'
import { summaryOf } from '../reads/representation.ts'
import { countCategories, countTags, findCategory, listCategories, listTags } from '../repository/catalogue.ts'
import { listPublic } from '../repository/lists.ts'
import {
  Category,
  CategoryPage,
  CategoryPut,
  CategoryWithPosts,
  LabelQuery,
  SlugParameter,
  TagPage
} from '../schemas.ts'

export function catalogueRoutes(app: App, components: PostComponents): void {
  readCategoriesRoute(app, components)
  readCategoryRoute(app, components)
  readTagsRoute(app, components)
  writeCategoryRoute(app, components)
}

const bySlug = ({ slug }: { slug: string }) => [slug] as const

function readCategoriesRoute(app: App, { db, nextPublication }: PostComponents): void {
  const schema = {
    operationId: 'listCategories',
    tags: ['posts'],
    summary: 'Categories of public posts, by slug',
    querystring: LabelQuery,
    response: { 200: CategoryPage }
  }
  app.get(
    '/api/categories',
    { config: { ...publicRead(nextPublication), cost: 'heavy' }, schema },
    async (request, reply) => {
      const page = pageRequest(request.query, ['text'], ['categories'])
      const rows = await listCategories(db, page)
      const total = await totalOf(rows, page, () => countCategories(db))
      const items = rows.map(({ slug, name, description, post_count }) => ({ slug, name, description, post_count }))
      return sendPage(request, reply, toPage(items, page, total, bySlug))
    }
  )
}

function readCategoryRoute(app: App, { db, nextPublication, totals, links }: PostComponents): void {
  const schema = {
    operationId: 'getCategory',
    tags: ['posts'],
    summary: 'A category with its public posts, newest first',
    params: SlugParameter,
    querystring: LabelQuery,
    response: { 200: CategoryWithPosts }
  }
  app.get('/api/categories/:slug', { config: publicRead(nextPublication), schema }, async (request, reply) => {
    const { slug } = request.params
    purgeBy(request, purgeTag.category(slug))
    const page = postPage(request.query, ['category', slug])
    const filter = { category: slug }
    const [category, rows, total] = await Promise.all([
      findCategory(db, slug),
      listPublic(db, filter, page, false),
      totals.ofPublic(filter)
    ])
    if (category === undefined) throw new NotFoundError(`There is no category ${slug}.`)
    const posts = toPage(rows, page, total, cursorOf)
    addPageLinks(request, reply, posts)
    const { items, ...rest } = posts
    return { ...category, post_count: total, posts: { items: items.map(row => summaryOf(row, links)), ...rest } }
  })
}

function writeCategoryRoute(app: App, { categories }: PostComponents): void {
  const schema = {
    operationId: 'describeCategory',
    tags: ['posts'],
    summary: 'Name and describe a category, for all its posts',
    params: SlugParameter,
    body: CategoryPut,
    response: { 200: Category }
  }
  app.put('/api/categories/:slug', { config: { access: access.bearer('api:write') }, schema }, async request =>
    categories.describe(request.params.slug, request.body)
  )
}

function readTagsRoute(app: App, { db, nextPublication }: PostComponents): void {
  const schema = {
    operationId: 'listTags',
    tags: ['posts'],
    summary: 'Tags of public posts, by slug',
    querystring: LabelQuery,
    response: { 200: TagPage }
  }
  app.get(
    '/api/tags',
    { config: { ...publicRead(nextPublication), cost: 'heavy' }, schema },
    async (request, reply) => {
      const page = pageRequest(request.query, ['text'], ['tags'])
      const rows = await listTags(db, page)
      const total = await totalOf(rows, page, () => countTags(db))
      const items = rows.map(({ slug, name, post_count }) => ({ slug, name, post_count }))
      return sendPage(request, reply, toPage(items, page, total, bySlug))
    }
  )
}

/** A page's own statement counts, too; past the end it has no row to say so in, and after a cursor it counts only the rest. */
async function totalOf(
  rows: readonly { total: number }[],
  { after, offset }: PageRequest,
  count: () => Promise<number>
) {
  if (after !== null || (offset > 0 && rows.length === 0)) return count()
  return rows[0]?.total ?? 0
}
