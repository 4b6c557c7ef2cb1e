import { type App, access, type FastifyPluginAsyncTypebox, Type } from '#core'
import { beaconScript } from './beacon.ts'
import type { AnalyticsComponents } from './components.ts'
import { DaysQuery, ImageQuery, MachineReportSchema, ViewBody, ViewReportSchema } from './schemas.ts'

export const analyticsRoutes =
  (components: AnalyticsComponents): FastifyPluginAsyncTypebox =>
  async app => {
    addBeacon(app, components)
    addImage(app, components)
    addScript(app)
    addReports(app, components)
    app.addHook('onClose', () => components.views.close())
  }

function addBeacon(app: App, { record }: AnalyticsComponents): void {
  const schema = {
    operationId: 'recordView',
    tags: ['analytics'],
    summary: 'Counts a view of a post, without a cookie and without an address',
    body: ViewBody,
    response: { 204: Type.Null({ description: 'Counted, where there is such a public post.' }) }
  }
  const config = { access: access.public, cors: 'any', cost: 'light', bodyLimit: 4_096 } as const
  app.post('/api/analytics/view', { config, schema }, async (request, reply) => {
    record(request, request.body.slug, request.body.referrer)
    return reply.code(204).send(null)
  })
}

const Image = Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'One transparent pixel.' })
/** The smallest GIF. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

function addImage(app: App, { record }: AnalyticsComponents): void {
  const schema = {
    operationId: 'recordViewByImage',
    tags: ['analytics'],
    summary: 'Counts a view of a post as an image does, for pages without a script',
    querystring: ImageQuery,
    produces: ['image/gif'],
    response: { 200: Image }
  }
  const config = { access: access.public, documentation: { isNeverStored: true } } as const
  app.get('/api/analytics/view.gif', { config, schema }, async (request, reply) => {
    if (request.method === 'GET') record(request, request.query.slug)
    return reply.header('cache-control', 'no-store').type('image/gif').send(pixel)
  })
}

function addScript(app: App): void {
  const schema = {
    operationId: 'getViewScript',
    tags: ['analytics'],
    summary: 'The script that counts a view of the page it stands in',
    description:
      'Its element names the post: `<script defer src="…/api/analytics/view.js" data-slug="how-a-lighthouse-works">`.',
    produces: ['text/javascript; charset=utf-8'],
    response: { 200: Type.String() }
  }
  const config = { access: access.public, cors: 'any', cache: { tags: [] } } as const
  app.get('/api/analytics/view.js', { config, schema }, async (_, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/javascript; charset=utf-8').send(beaconScript)
  )
}

function addReports(app: App, { reports }: AnalyticsComponents): void {
  const config = { access: access.bearer('api:read') }
  const common = { tags: ['analytics'], querystring: DaysQuery }
  const views = {
    ...common,
    operationId: 'getViews',
    summary: 'Views by day, by post, and by where readers came from',
    response: { 200: ViewReportSchema }
  }
  app.get('/api/analytics/views', { config, schema: views }, request => reports.views(request.query.days))
  const machines = {
    ...common,
    operationId: 'getMachineViews',
    summary: 'Views by crawlers and other machines, by name',
    response: { 200: MachineReportSchema }
  }
  app.get('/api/analytics/machines', { config, schema: machines }, request => reports.machines(request.query.days))
}
