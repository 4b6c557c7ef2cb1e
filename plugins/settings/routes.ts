import { access, type FastifyPluginAsyncTypebox, principalOf, requireScope, type SettingsStore, Type } from '#core'
import { fetchLimit, maxLimit, pageOf, pageParameters, pageRequest, sendPage, toPage } from '#lists'

const Nullable = (example: string, description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

const SettingBody = Type.Object(
  {
    key: Type.String({ examples: ['publish_quiet_hours'] }),
    value: Type.String({ description: 'Text; ******** for a secret.', examples: ['22:00-07:00'] }),
    default: Nullable('', 'Null for a setting that no plugin declares.'),
    bounds: Nullable('at most 11 characters', 'What the value may be, in a few words; null for any text.'),
    category: Type.String({ examples: ['machine'] }),
    description: Type.String({ examples: ['Quiet window HH:MM-HH:MM for batches.'] }),
    is_secret: Type.Boolean({ examples: [false] }),
    is_machine: Type.Boolean({
      description: "One of the operator's machine: over HTTP a change needs the scope api:admin.",
      examples: [false]
    }),
    is_active: Type.Boolean(),
    sent_to: Nullable('https://api.openai.com', 'Of a secret that is sent to an address: the host it was set for.'),
    fault: Nullable(
      'llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.',
      'Why the stored value is not in use; null when it is, or when there is none.'
    ),
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
        const { limit = Math.max(all.length, 1), ...query } = request.query
        const page = pageRequest({ ...query, limit }, ['text'], ['settings', category])
        const after = page.after?.[0]
        const ahead = after === undefined ? all : all.filter(item => item.key > after)
        const rows = ahead.slice(page.offset, page.offset + fetchLimit(page))
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
      async request => {
        const { key } = request.params
        if (store.find(key).is_machine) requireScope(request, 'api:admin', key)
        return store.set(key, request.body.value, { actor: principalOf(request).client_id })
      }
    )

    app.delete(
      '/api/settings/:key',
      { config: { access: access.bearer('api:write') }, schema: deleteSchema },
      async request => {
        const { key } = request.params
        if (store.find(key).is_machine) requireScope(request, 'api:admin', key)
        return store.unset(key, { actor: principalOf(request).client_id })
      }
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
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, description: 'Default: all of them.' }))
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

const deleteSchema = {
  operationId: 'deleteSetting',
  tags: ['settings'],
  summary: 'Take a stored value away: the default counts again',
  description:
    'Answers the setting as it is then. Those with `is_machine` need the scope `api:admin` beside `api:write`.',
  security: [{ bearer: ['api:write'] }, { bearer: ['api:write', 'api:admin'] }],
  params: KeyParameter,
  response: { 200: SettingBody }
}

const putSchema = {
  operationId: 'putSetting',
  tags: ['settings'],
  summary: 'Change a setting; every process follows within a second',
  description: 'Those with `is_machine` need the scope `api:admin` beside `api:write`.',
  security: [{ bearer: ['api:write'] }, { bearer: ['api:write', 'api:admin'] }],
  params: KeyParameter,
  body: Type.Object(
    { value: Type.String({ maxLength: 65_536, examples: ['22:00-07:00'] }) },
    { additionalProperties: false }
  ),
  response: { 200: SettingBody }
}
