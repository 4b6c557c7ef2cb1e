import type { FastifyRequest } from 'fastify'
import { type App, access, type FastifyPluginAsyncTypebox, principalOf, requireScope, type SettingsStore } from '#core'
import { pageOf, sendPage } from '#lists'
import { KeyParameter, NewValue, SettingBody, SettingQuery } from './schemas.ts'
import { listSettings, settingsPage, settingsRequest } from './settings-page.ts'

const tags = ['settings']
const reads = { access: access.bearer('api:read') }
const writes = { access: access.bearer('api:write') }
/** The scopes of a change; the second are those for a setting of the operator's machine. */
const security = [{ bearer: ['api:write'] }, { bearer: ['api:write', 'api:admin'] }]

/** The settings over REST. */
export const settingsRoutes =
  (store: SettingsStore): FastifyPluginAsyncTypebox =>
  async app => {
    listRoute(app, store)
    getRoute(app, store)
    putRoute(app, store)
    deleteRoute(app, store)
  }

function listRoute(app: App, store: SettingsStore): void {
  const schema = {
    operationId: 'listSettings',
    tags,
    summary: 'All settings, by key',
    description: 'All of them at once, unless `limit`, `offset` or `cursor` asks for a page.',
    querystring: SettingQuery,
    response: { 200: pageOf(SettingBody) }
  }
  app.get('/api/settings', { config: reads, schema }, async (request, reply) => {
    const { category, ...query } = request.query
    const all = listSettings(store, { category })
    const isPaged = Object.keys(query).length > 0
    const page = settingsRequest(isPaged ? query : { limit: Math.max(all.length, 1) }, { category })
    return sendPage(request, reply, settingsPage(all, page))
  })
}

function getRoute(app: App, store: SettingsStore): void {
  const schema = {
    operationId: 'getSetting',
    tags,
    summary: 'One setting',
    params: KeyParameter,
    response: { 200: SettingBody }
  }
  app.get('/api/settings/:key', { config: reads, schema }, async request => store.find(request.params.key))
}

function putRoute(app: App, store: SettingsStore): void {
  const schema = {
    operationId: 'putSetting',
    tags,
    summary: 'Change a setting; every process follows within a second',
    description: 'Those with `is_machine` need the scope `api:admin` beside `api:write`.',
    security,
    params: KeyParameter,
    body: NewValue,
    response: { 200: SettingBody }
  }
  app.put('/api/settings/:key', { config: writes, schema }, async request => {
    const { key } = request.params
    requireAdminOf(request, store, key)
    return store.set(key, request.body.value, { actor: principalOf(request).client_id })
  })
}

function deleteRoute(app: App, store: SettingsStore): void {
  const schema = {
    operationId: 'deleteSetting',
    tags,
    summary: 'Take a stored value away: the default counts again',
    description:
      'Answers the setting as it is then. Those with `is_machine` need the scope `api:admin` beside `api:write`.',
    security,
    params: KeyParameter,
    response: { 200: SettingBody }
  }
  app.delete('/api/settings/:key', { config: writes, schema }, async request => {
    const { key } = request.params
    requireAdminOf(request, store, key)
    return store.unset(key, { actor: principalOf(request).client_id })
  })
}

/** @throws AuthError when the setting is one of the operator's machine, and the client may not change those */
function requireAdminOf(request: FastifyRequest, store: SettingsStore, key: string): void {
  if (store.find(key).is_machine) requireScope(request, 'api:admin', key)
}
