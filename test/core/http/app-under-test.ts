import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { createLog } from '../../../cli/log/json-log.ts'
import type { Authenticator } from '../../../core/contract/access.ts'
import type { Changes } from '../../../core/contract/changes.ts'
import type { Db } from '../../../core/contract/database.ts'
import { coreErrors } from '../../../core/contract/error-codes.ts'
import { AuthError } from '../../../core/contract/errors.ts'
import { type AppDeps, createApp } from '../../../core/http/app.ts'

/** Changes of one process whose currency the test decides. */
export interface SwitchedChanges extends Changes {
  current: boolean
  drop(tag: string): void
}

export function switchedChanges(): SwitchedChanges {
  const drops = new Map<string, (() => void)[]>()
  const drop = (tag: string) => {
    for (const each of drops.get(tag) ?? []) each()
  }
  return {
    current: true,
    drop,
    touch: async (tx, tag) => tx.afterCommit(() => drop(tag)),
    on: (tag, each) => void drops.set(tag, [...(drops.get(tag) ?? []), each]),
    isCurrent() {
      return this.current
    }
  }
}

/** Tokens are written as the client's id and its scopes: `alice+api:read+api:write`. */
export const authenticator: Authenticator = {
  remedy: 'get one from POST /token',
  authenticate: async token => {
    const [client_id = '', ...scopes] = token.split('+')
    if (scopes.length === 0) throw new AuthError('The token is not one of ours: get one from POST /token.')
    return { client_id, scopes: new Set(scopes) }
  }
}
export const bearer = (client = 'alice') => ({ authorization: `Bearer ${client}+api:read+api:write` })

/** A database for apps whose routes use none: it answers the health check and nothing else. */
export const noDatabase = {
  kind: 'pglite',
  query: async () => [{}],
  pool: () => ({ size: 2, idle: 1 })
} as unknown as Db

export interface Options extends Omit<Partial<AppDeps>, 'settings'> {
  routes?: FastifyPluginAsync
  settings?: Record<string, unknown>
  level?: string
}

/** An app on a port of its own. `log` collects the lines it writes; `settings` may be changed while it runs. */
export async function startApp({ routes = async () => {}, settings = {}, level = 'info', ...others }: Options = {}) {
  const present: Record<string, unknown> = {
    cors_origins: '',
    rate_limit_per_minute: 0,
    rate_limit_search_per_minute: 0,
    rate_limit_token_per_minute: 0,
    http_cache_mb: 64,
    cache_tag_header: 'none',
    shared_cache_seconds: 0,
    stale_while_revalidate_seconds: 0,
    trusted_proxies: '',
    ...settings
  }
  const log: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    }
  })
  const app = await createApp({
    pluginRoutes: [{ name: 'example', routes }],
    errors: { ...coreErrors, ALREADY_DONE: { status: 409, describe: 'It was done before.' } },
    authenticator,
    settings: { get: key => present[key] as never, secretFor: () => ({ value: '', fault: null }) },
    changes: switchedChanges(),
    db: noDatabase,
    version: '0.0.0',
    log: createLog(level, destination),
    now: () => new Date(),
    isDraining: () => false,
    ...others
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    app,
    url,
    port,
    log,
    settings: present,
    fetch: (path: string, init?: RequestInit) => fetch(url + path, init),
    close: () => app.close()
  }
}
