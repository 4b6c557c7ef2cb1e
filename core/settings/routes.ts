import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { access } from '../http/access.ts'
import { maximumLimit, pageOf, pageParameters, pageRequest, sendPage, toPage } from '../http/pagination.ts'
import type { SettingsStore } from './store.ts'

const Nullable = (example: string, description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

export const SettingBody = Type.Object(
  {
    key: Type.String({ examples: ['publish_quiet_hours'] }),
    value: Type.String({ description: 'Text; ******** for a secret.', examples: ['22:00-07:00'] }),
    default: Nullable('', 'Null for a setting that no plugin declares.'),
    bounds: Nullable('at most 11 characters', 'What the value may be, in a few words; null for any text.'),
    category: Type.String({ examples: ['posts'] }),
    description: Type.String({ examples: ['Quiet window HH:MM-HH:MM for batches.'] }),
    is_secret: Type.Boolean({ examples: [false] }),
    is_active: Type.Boolean(),
    updated_at: Nullable('2026-11-21T10:00:00.000Z', 'Null while the default is in use.')
  },
  { title: 'Setting' }
)

export const settingsRoutes =
  (store: SettingsStore): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/api/settings',
      { config: { access: access.bearer('api:read') }, schema: listSchema },
      async (request, reply) => {
        const { category } = request.query
        const all = store.list().filter(item => category === undefined || item.category === category)
        // The specification answers all settings; only an explicit limit cuts the list.
        const page = pageRequest({ ...request.query, limit: request.query.limit ?? Math.max(all.length, 1) }, ['text'])
        const after = page.after?.[0]
        const ahead = after === undefined ? all : all.filter(item => item.key > after)
        const rows = ahead.slice(page.offset, page.offset + page.limit + 1)
        return sendPage(
          request,
          reply,
          toPage(rows, page, all.length, item => [item.key])
        )
      }
    )

    app.get('/api/settings/:key', { config: { access: access.bearer('api:read') }, schema: oneSchema }, async request =>
      store.find(request.params.key)
    )

    app.put(
      '/api/settings/:key',
      { config: { access: access.bearer('api:write') }, schema: putSchema },
      async request => store.set(request.params.key, request.body.value)
    )
  }

const KeyParameter = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 128, examples: ['publish_quiet_hours'] })
})

const listSchema = {
  operationId: 'listSettings',
  tags: ['settings'],
  summary: 'All settings, by key',
  querystring: Type.Object(
    {
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      ...pageParameters,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maximumLimit, description: 'Default: all of them.' }))
    },
    { additionalProperties: false }
  ),
  response: { 200: pageOf(SettingBody) }
}

const oneSchema = {
  operationId: 'getSetting',
  tags: ['settings'],
  summary: 'One setting',
  params: KeyParameter,
  response: { 200: SettingBody }
}

const putSchema = {
  operationId: 'putSetting',
  tags: ['settings'],
  summary: 'Change a setting; every process follows within a second',
  params: KeyParameter,
  body: Type.Object(
    { value: Type.String({ maxLength: 65_536, examples: ['22:00-07:00'] }) },
    { additionalProperties: false }
  ),
  response: { 200: SettingBody }
}
