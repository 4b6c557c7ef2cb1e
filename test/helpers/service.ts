import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db/db.ts'
import { ClientProvisionerService } from '../../core/installation.ts'
import { boot, type Kernel } from '../../core/kernel.ts'
import { loadPlugins } from '../../core/loader.ts'
import { createLog } from '../../core/log.ts'
import { packageRoot } from '../../core/paths.ts'
import type { Plugin } from '../../core/plugin.ts'
import { openTestDatabase } from './database.ts'

export interface ServiceOptions {
  /** Beside those of the package's plugins.config.json. */
  plugins?: readonly Plugin[]
  settings?: Readonly<Record<string, string>>
  /** False: jobs stay queued. */
  worker?: boolean
  /** One that is open already: a second process on the same database. */
  db?: Db
  now?: () => Date
}

/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape of what they read
  body: any
}

/** A whole service on a port of its own, with everything real but the network between machines. */
export interface TestService {
  readonly url: string
  readonly token: string
  readonly kernel: Kernel
  readonly app: FastifyInstance
  readonly db: Db
  readonly home: string
  /** Sends a request as anybody. */
  anonymous(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends a request with a token of scope `api:read api:write`. */
  bearer(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

const config: Omit<Config, 'home'> = {
  databaseUrl: undefined,
  secretKey: Buffer.alloc(32, 7).toString('base64'),
  jwtSecret: 'a secret of the test suite that is long enough',
  host: '127.0.0.1',
  port: 0,
  logLevel: 'silent',
  pluginsConfigPath: process.env.GALLEY_PLUGINS ?? path.join(packageRoot, 'plugins.config.json')
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const db = options.db ?? (await openTestDatabase())
  const home = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  const cleanUp = async () => {
    if (options.db === undefined) await db.close()
    rmSync(home, { recursive: true, force: true })
  }
  try {
    return await start(options, db, home, cleanUp)
  } catch (error) {
    // An open database would keep the test's process alive for ever.
    await cleanUp()
    throw error
  }
}

async function start(
  options: ServiceOptions,
  db: Db,
  home: string,
  cleanUp: () => Promise<void>
): Promise<TestService> {
  const plugins = [...(await loadPlugins(config.pluginsConfigPath)), ...(options.plugins ?? [])]
  const log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent')
  const kernel = boot({
    config: { ...config, home },
    db,
    log,
    plugins,
    ...(options.now === undefined ? {} : { now: options.now })
  })
  // The test database has the service's own migrations only.
  if (plugins.some(({ migrations }) => migrations !== undefined)) await kernel.migrator.up()
  await kernel.open()
  await kernel.jobs.install()
  for (const [key, value] of Object.entries(options.settings ?? {})) await kernel.settings.set(key, value)
  await kernel.start({ worker: options.worker ?? true })
  const app = await kernel.createApp()
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  kernel.listensAt(url)
  const client = await kernel.service(ClientProvisionerService)?.provision({ rotate: true })
  const send = createSend(url)
  const token = await mintToken(url, client?.client_id ?? '', client?.client_secret ?? '')
  const close = async () => {
    await Promise.all([app.close(), kernel.stop()])
    await cleanUp()
  }
  const bearer: TestService['bearer'] = (method, target, body, headers) =>
    send(method, target, body, { authorization: `Bearer ${token}`, ...headers })
  return { url, token, kernel, app, db, home, anonymous: send, bearer, close }
}

function createSend(url: string): TestService['anonymous'] {
  return async (method, target, body, headers = {}) => {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(new URL(target, url), {
      method,
      redirect: 'manual',
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) })
    })
    const text = await response.text()
    const isJsonAnswer = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      body: isJsonAnswer && text !== '' ? JSON.parse(text) : text
    }
  }
}

async function mintToken(url: string, client_id: string, client_secret: string): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}
