import { access, type Db, type FastifyPluginAsyncTypebox, Type } from '#core'
import { pageOf, pageParameters, pageRequest, sendPage, toPage } from '#lists'
import { periodOf, periodParameters } from '#time'
import { countAudit, listAudit } from './repository.ts'

const Entry = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    at: Type.String({ format: 'date-time' }),
    event_type: Type.String({ examples: ['settings.changed'] }),
    actor: Type.String({ description: 'operator for a local command, else the client_id.', examples: ['operator'] }),
    details: Type.Object({}, { additionalProperties: true, description: 'What the event type has to tell.' })
  },
  { title: 'AuditEntry' }
)

const Query = Type.Object(
  {
    ...pageParameters,
    event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['settings.changed'] })),
    actor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, examples: ['operator'] })),
    ...periodParameters
  },
  { additionalProperties: false }
)

const schema = {
  operationId: 'listAudit',
  tags: ['events'],
  summary: 'The audit log, newest first',
  querystring: Query,
  response: { 200: pageOf(Entry) }
}

export const auditRoutes =
  ({ db, timeZone }: { db: Db; timeZone(): string }): FastifyPluginAsyncTypebox =>
  async app => {
    app.get('/api/audit', { config: { access: access.bearer('api:read') }, schema }, async (request, reply) => {
      const { event_type, actor } = request.query
      const { since, until } = periodOf(request.query, timeZone())
      const filter = { event_type, actor, since, until }
      const page = pageRequest(
        request.query,
        ['timestamp', 'integer'],
        ['audit', event_type, actor, since?.toISOString(), until?.toISOString()]
      )
      const [rows, total] = await Promise.all([listAudit(db, filter, page), countAudit(db, filter)])
      return sendPage(
        request,
        reply,
        toPage(rows, page, total, row => [row.at, String(row.id)])
      )
    })
  }
