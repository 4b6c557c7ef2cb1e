import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { freshCluster } from '../cli/database/fresh-cluster.ts'
import { createPglite } from '../cli/database/pglite/pglite.ts'
import { runProgram } from '../cli/framework/run.ts'
import { createLog } from '../cli/log/json-log.ts'
import { migratorOf } from '../cli/migrations/migrator.ts'
import type { Config } from '../core/config.ts'
import { ClientProvisionerService } from '../core/contract/client-provisioner.ts'
import type { Db } from '../core/contract/database.ts'
import { boot } from '../core/kernel/boot.ts'
import type { Kernel } from '../core/kernel/kernel.ts'
import { loadPlugins } from '../core/kernel/load.ts'
import type { Log } from '../core/log.ts'
import { packageRoot } from '../core/paths.ts'
import { recordSession } from './session.ts'
import type { CommandResult, ServiceOptions, TestService } from './test-service.ts'

/** The same with its inner parts, for the tests of this package. */
export interface WiredTestService extends TestService {
  readonly kernel: Kernel
  readonly app: FastifyInstance
}

/** What any test runs with: the keys are no secret. */
export const testConfig: Config = {
  home: '/nowhere',
  databaseUrl: undefined,
  secretKey: Buffer.alloc(32, 7).toString('base64'),
  jwtSecret: 'a secret of the test suite that is long enough',
  host: '127.0.0.1',
  port: 0,
  logLevel: 'silent',
  pluginsConfigPath: process.env.GALLEY_PLUGINS ?? path.join(packageRoot, 'plugins.config.json')
}

/** An empty database in memory. */
export const openMemory = async (): Promise<Db> =>
  createPglite({ dataDir: 'memory://', snapshot: await freshCluster('memory://') })

interface WiredOptions extends ServiceOptions {
  /** The database may lack galley's own migrations, too. */
  pending?: boolean
  /** Names of galley's own plugins that are turned off. */
  leftOut?: readonly string[]
  /** Of another service, which removes it. Default: a new one. */
  home?: string
  log?: Log
}

const quietLog = () => createLog(process.env.TEST_LOG_LEVEL ?? 'silent')

/** Starts a service on an open database, which it closes. */
export async function startServiceOn(db: Db, options: WiredOptions): Promise<WiredTestService> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  const cleanUp = async () => {
    await db.close()
    if (options.home === undefined) rmSync(home, { recursive: true, force: true })
  }
  try {
    return await start(db, home, options, cleanUp)
  } catch (error) {
    // An open database would keep the test's process alive for ever.
    await cleanUp()
    throw error
  }
}

async function start(
  db: Db,
  home: string,
  options: WiredOptions,
  cleanUp: () => Promise<void>
): Promise<WiredTestService> {
  const kernel = await wire(db, home, options)
  try {
    await kernel.open()
    await kernel.jobs.install()
    for (const [key, value] of Object.entries(options.settings ?? {})) await kernel.settings.set(key, value)
    await kernel.start({ worker: options.worker ?? true })
    const app = await kernel.createApp()
    return { ...(await serve(kernel, app)), home, db, close: () => closeAll(kernel, app, cleanUp) }
  } catch (error) {
    // Its jobs would go on without the database.
    await kernel.stop()
    throw error
  }
}

async function closeAll(kernel: Kernel, app: FastifyInstance, cleanUp: () => Promise<void>): Promise<void> {
  await Promise.all([app.close(), kernel.stop()])
  await cleanUp()
}

async function serve(kernel: Kernel, app: FastifyInstance): Promise<Omit<WiredTestService, 'home' | 'db' | 'close'>> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  kernel.setListenAddress(url)
  const client = await kernel.service(ClientProvisionerService)?.provision({ rotate: true })
  const send = createSend(url)
  const token = await mintToken(url, client?.client_id ?? '', client?.client_secret ?? '')
  return {
    url,
    token,
    kernel,
    app,
    service: kernel.service,
    anonymous: send,
    bearer: (method, target, body, headers) =>
      send(method, target, body, { authorization: `Bearer ${token}`, ...headers }),
    run: (...argv) => runCommand(kernel, ...argv)
  }
}

async function wire(
  db: Db,
  home: string,
  { plugins: given = [], leftOut = [], log = quietLog(), now, pending = false }: WiredOptions
): Promise<Kernel> {
  const configured = await loadPlugins(testConfig.pluginsConfigPath)
  const plugins = [...configured.filter(({ name }) => !leftOut.includes(name)), ...given]
  const kernel = boot({
    config: { ...testConfig, home },
    db,
    log,
    plugins,
    ...(now === undefined ? {} : { now })
  })
  if (pending || plugins.some(({ migrations }) => migrations !== undefined)) {
    const { failed } = await migratorOf(kernel).up()
    if (failed[0] !== undefined) throw new Error(failed[0].message)
  }
  return kernel
}

/** Runs a command of the plugins as the operator would type it, without the program's name. */
export async function runCommand(kernel: Kernel, ...argv: string[]): Promise<CommandResult> {
  const session = recordSession()
  const status = await runProgram({ name: 'galley', version: '0.0.0', program: kernel.commands }, argv, session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}

function createSend(url: string): TestService['anonymous'] {
  return async (method, target, body, headers = {}) => {
    const isText = typeof body === 'string'
    const isJson = body !== undefined && !isText
    const response = await fetch(new URL(target, url), {
      method,
      redirect: 'manual',
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) })
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
  const { access_token }: { access_token: string } = JSON.parse(await response.text())
  return access_token
}
