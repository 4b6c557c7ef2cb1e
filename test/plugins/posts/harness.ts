import { randomUUID } from 'node:crypto'
import { AuthError, type Changes, type Context, type Needs, type SettingMap, type Subscription, type Tx } from '#core'
import { createLog } from '../../../cli/log/json-log.ts'
import { createChanges } from '../../../core/changes.ts'
import { type AppDeps, createApp } from '../../../core/http/app.ts'
import { httpSettings } from '../../../core/http/settings.ts'
import type { GateRegistry } from '../../../plugins/gates/gates.ts'
import gatesPlugin from '../../../plugins/gates/plugin.ts'
import memoryPlugin from '../../../plugins/memory/plugin.ts'
import { createComponents } from '../../../plugins/posts/components.ts'
import postsPlugin from '../../../plugins/posts/plugin.ts'
import { postRoutes } from '../../../plugins/posts/routes.ts'
import { createComponents as createScheduleComponents } from '../../../plugins/schedule/components.ts'
import schedulePlugin from '../../../plugins/schedule/plugin.ts'
import { scheduleRoutes } from '../../../plugins/schedule/routes.ts'
import { publishGateName } from '../../../plugins/schedule/settings.ts'
import { createComponents as createSearchComponents } from '../../../plugins/search/components.ts'
import searchPlugin from '../../../plugins/search/plugin.ts'
import { searchRoutes } from '../../../plugins/search/routes.ts'
import { openTestDatabase } from '../../helpers/database.ts'

/** Posts, schedule and search on a real database, with gates and memory as they are; events and jobs are written down instead of delivered. */
export async function openPosts({ withMemory = true, statements = [] as string[] } = {}) {
  const db = await openTestDatabase()
  const warnings: string[] = []
  const log = createLog('warn', { write: line => void warnings.push(line) })
  const feed = createChanges({ db, log })
  await feed.start()
  let isCurrent = true
  const changes: Changes = { ...feed, isCurrent: () => isCurrent && feed.isCurrent() }
  const events: { type: string; payload: Record<string, unknown> }[] = []
  const jobs: { type: string; data: object; startAt?: Date | undefined; key?: string | undefined }[] = []
  // What is found must not depend on how fast the machine is.
  const values: Record<string, unknown> = { search_time_limit_ms: 10_000 }
  let clock: () => Date = () => new Date()
  const counted = {
    ...db,
    query: ((sql, ...rest) => {
      statements.push(sql)
      return db.query(sql, ...rest)
    }) as typeof db.query
  }
  const installation = {
    home: '/nowhere',
    version: '0.0.0',
    baseUrl: () => String(values.public_url || values.listens_at || 'http://localhost:8000'),
    packagesFolder: '.',
    isLoopback: () => true,
    signingKey: () => Buffer.alloc(32, 7)
  }
  const contextOf = <N extends Needs, S extends SettingMap>(settings: S | undefined, needs: unknown) =>
    ({
      needs,
      settings: {
        get: (key: string) => values[key] ?? settings?.[key]?.default,
        secretFor: (key: string) => ({ value: String(values[key] ?? ''), fault: null })
      },
      db: counted,
      emit: async (tx: Tx, type: { id: string }, payloads: object | readonly object[]) =>
        tx.afterCommit(() =>
          events.push(...[payloads].flat().map(payload => ({ type: type.id, payload: payload as never })))
        ),
      enqueue: async (tx: Tx, type: { id: string }, data: object, options: object) =>
        tx.afterCommit(() => jobs.push({ type: type.id, data, ...options })),
      changes,
      installation,
      log,
      now: () => clock()
    }) as unknown as Context<N, S>

  const value = (key: string) => values[key] ?? (key === 'operator_timezone' ? 'UTC' : '')
  const store = { value, find: (key: string) => ({ value: value(key), fault: null }) }
  const gates = gatesPlugin.setup(contextOf(gatesPlugin.settings, { store }) as never).services.gates as GateRegistry
  const memory = withMemory
    ? memoryPlugin.setup(contextOf(memoryPlugin.settings, {}) as never).services.memory
    : undefined
  const context = contextOf(postsPlugin.settings, { gates, memory, store })
  const plugin = postsPlugin.setup(context as never)
  // A second set of the same components, to reach what the plugin keeps to itself.
  const components = createComponents(context as never)
  const { service: posts, slots, due } = components
  const scheduleContext = contextOf(schedulePlugin.settings, { posts, slots, due, gates, store })
  const schedulePart = schedulePlugin.setup(scheduleContext as never)
  const scheduling = createScheduleComponents(scheduleContext as never)
  const searchContext = contextOf(searchPlugin.settings, { posts, published: components.published, memory })
  const searchPart = searchPlugin.setup(searchContext as never)
  const search = createSearchComponents(searchContext as never)
  const mounted = [
    { name: 'posts', routes: postRoutes(components) },
    { name: 'schedule', routes: scheduleRoutes(scheduling.schedule) },
    { name: 'search', routes: searchRoutes(search) }
  ]
  const app = await openApp(mounted, { db, changes, log, now: () => clock() }).catch(async error => {
    // An open database would keep the test process from ending.
    await feed.stop()
    await db.close()
    throw error
  })
  return {
    ...{ db, app, components, plugin, gates, memory, events, jobs, values, statements, warnings },
    scheduling,
    schedulePart,
    search,
    searchPart,
    contextOf,
    posts,
    setClock: (read: () => Date) => {
      clock = read
    },
    setCurrent: (value: boolean) => {
      isCurrent = value
    },
    /** What the workers would do: tells the plugins' subscribers of every event since the last call. */
    deliver: async () => {
      for (const { type, payload } of events.splice(0)) {
        const subscriptions = [...(plugin.subscriptions ?? []), ...(searchPart.subscriptions ?? [])]
        for (const subscription of subscriptions)
          if (subscription.event === type) await deliverOne(subscription, payload)
      }
    },
    /** What the job of the search index does. */
    index: () => search.updateIndex(new AbortController().signal),
    /** After a change of posts beside the plugin. */
    touch: () => db.transaction(tx => changes.touch(tx, 'posts')),
    gateName: publishGateName,
    close: async () => {
      await app.close()
      await feed.stop()
      await db.close()
    }
  }
}

function deliverOne({ maxBatch, handle }: Subscription, payload: object): Promise<void> {
  const delivery = {
    id: randomUUID(),
    deliveryCount: 1,
    signal: new AbortController().signal,
    recordProgress: async () => {}
  }
  const given = maxBatch === undefined ? payload : [{ id: delivery.id, payload }]
  return handle(given as never, delivery)
}

/** The service's own app, with the plugins' routes and one client. */
function openApp(mounted: AppDeps['pluginRoutes'], deps: Pick<AppDeps, 'db' | 'changes' | 'log' | 'now'>) {
  const client = { client_id: 'client', scopes: new Set(['api:read', 'api:write']) }
  const authenticator = {
    remedy: 'get one from POST /token',
    authenticate: async (token: string) => {
      if (token !== 'good') throw new AuthError()
      return client
    }
  }
  const settings = {
    get: (key: keyof typeof httpSettings) => httpSettings[key].default as never,
    secretFor: () => ({ value: '', fault: null })
  }
  return createApp({
    ...deps,
    pluginRoutes: mounted,
    authenticator,
    settings,
    version: '0.0.0',
    isDraining: () => false
  })
}

export type Harness = Awaited<ReturnType<typeof openPosts>>

const bearer = { authorization: 'Bearer good' }

/** A request as a client with a token makes it. */
export async function asClient(
  { app }: Harness,
  method: 'GET' | 'PATCH' | 'DELETE' | 'POST',
  url: string,
  body?: object,
  headers: Record<string, string> = {}
) {
  return app.inject({
    method,
    url,
    headers: { ...bearer, ...headers },
    ...(body === undefined ? {} : { payload: body })
  })
}

let nextBody = 0

/** A hand-made post; every body is another, so that none counts as a repetition. */
export async function makePost(
  harness: Harness,
  { title = `Post ${++nextBody}`, body = `Text number ${++nextBody}.`, slug = undefined as string | undefined } = {}
) {
  const hand = { body, title, slug, status: 'draft' as const, allowsDuplicates: true }
  const { post_id } = await harness.components.creation.create(hand, { actor: 'operator' })
  return post_id
}

export async function publish({ db, posts }: Harness, post_id: string) {
  return db.transaction(tx => posts.publish(tx, post_id, { actor: 'operator' }))
}

export async function makePublic(
  harness: Harness,
  options: Parameters<typeof makePost>[1] & { category?: string; tags?: string[] } = {}
) {
  const post_id = await makePost(harness, options)
  const { category, tags } = options
  const patch = { ...(category === undefined ? {} : { category }), ...(tags === undefined ? {} : { tags }) }
  if (Object.keys(patch).length > 0) await harness.components.edits.edit(post_id, patch, { actor: 'operator' })
  return publish(harness, post_id)
}

export async function historyOf({ db }: Harness, post_id: string) {
  const rows = await db.query<{ step: string }>(
    `select action || ' ' || coalesce(from_status, '-') || ' ' || to_status as step from post_history where post_id = $1 order by id`,
    [post_id]
  )
  return rows.map(row => row.step)
}
