import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { createChanges } from './changes.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Migrator } from './db/migrate.ts'
import { checkSchema, createSchemaMigrator } from './db/schema.ts'
import { AuthenticatorService } from './http/access.ts'
import { httpSettings } from './http/settings.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { createKeyring } from './keyring.ts'
import type { Log } from './log.ts'
import { orderPlugins } from './order.ts'
import type { Commands, Installation, Plugin, Service } from './plugin.ts'
import { resolveNeeds, type Services } from './services.ts'
import { type LoadedPlugin, setUpPlugins } from './set-up.ts'
import { coreSettings } from './settings/core-settings.ts'
import { createKeyRotation, type KeyRotation } from './settings/key-rotation.ts'
import { settingsPlugin } from './settings/plugin.ts'
import { createSettings, type Declared, type SettingsRegistry } from './settings/store.ts'
import { createSigningKeys, signingPlugin } from './signing-secret.ts'
import { version } from './version.ts'

/** A wired service. Nothing has touched the database until `open`. */
export interface Kernel {
  readonly plugins: readonly LoadedPlugin[]
  /** CLI command groups by name. */
  readonly commands: Readonly<Record<string, Commands>>
  readonly settings: SettingsRegistry
  readonly keys: KeyRotation
  readonly jobs: Jobs
  /** Over the service's and the plugins' migrations; works before `open`. */
  readonly migrator: Migrator
  readonly db: Db
  readonly log: Log
  /** A service by its token; undefined when no plugin provides it. */
  service<T>(token: Service<T>): T | undefined
  /** Checks the schema and reads the settings. @throws AppError when the database does not fit this release. */
  open(): Promise<void>
  /** Follows changes made by other processes and, as a worker, runs jobs. */
  start(role: { worker: boolean }): Promise<void>
  /** The HTTP app, not yet listening. */
  createApp(): Promise<FastifyInstance>
  /** Tells where the app listens, once it does. */
  listensAt(url: string): void
  /** Finishes or hands back running jobs, within 9 s. The database stays open. */
  stop(): Promise<void>
}

/** The exit itself, with handing back and closing the database, comes within 10 s. */
const drainSeconds = 8

/**
 * Wires the plugins: order → setup → collect.
 * @throws BootError naming every plugin that is wrong, with the cause and the remedy.
 */
export function boot(deps: { config: Config; db: Db; log: Log; plugins: readonly Plugin[]; now?: () => Date }): Kernel {
  const { config, db, log, now = () => new Date() } = deps
  const changes = createChanges({ db, log })
  const jobs = createJobs({ db, log })
  const declared = new Map<string, Declared>()
  const keyring = createKeyring(config)
  const settings = createSettings({ db, secrets: keyring, changes, declared, log })
  const keys = createKeyRotation({ config, db, keyring, changes, log })
  const signing = createSigningKeys({ config, db, changes })
  const ordered = orderPlugins([settingsPlugin(settings), signingPlugin(signing), ...deps.plugins])
  for (const plugin of ordered) {
    for (const [key, setting] of Object.entries(plugin.settings ?? {}))
      declared.set(key, { plugin: plugin.name, setting: setting as Declared['setting'] })
  }
  const services: Services = new Map()
  let address = addressOf(config)
  let isDraining = false
  const core = settings.reader({ ...coreSettings, ...httpSettings })
  const installation: Installation = {
    home: config.home,
    version,
    baseUrl: () => core.get('public_url') || address,
    isLoopback: () => isLoopback(config.host),
    signingKey: signing.keyFor
  }
  const contextOf = (plugin: Plugin) => ({
    needs: resolveNeeds(services, plugin.needs ?? {}),
    settings: settings.reader(plugin.settings ?? {}),
    log: log.child({ plugin: plugin.name }),
    emit: jobs.emit,
    enqueue: jobs.enqueue,
    db,
    changes,
    installation,
    now
  })
  const loaded = setUpPlugins(ordered, { services, jobs, contextOf })
  const migrator = createSchemaMigrator(db, log, ordered)

  return {
    plugins: loaded,
    commands: collectCommands(loaded),
    settings,
    keys,
    jobs,
    migrator,
    db,
    log,
    service: <T>(token: Service<T>) => services.get(token.id) as T | undefined,
    async open() {
      await checkSchema(db, migrator)
      await settings.load()
      await keys.settle()
    },
    async start({ worker }) {
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
      letYoungHeapGrow()
    },
    createApp: async () => {
      // Commands need no HTTP: the library and its schemas load only for a server.
      const { createApp } = await import('./http/app.ts')
      return createApp({
        parts: loaded.flatMap(({ plugin, contribution: { routes } }) =>
          routes === undefined ? [] : [{ name: plugin.name, routes }]
        ),
        authenticator: services.get(AuthenticatorService.id) as never,
        settings: core,
        onSettingsRead: settings.onRead,
        isDraining: () => isDraining,
        changes,
        db,
        installation,
        version,
        log,
        now
      })
    },
    listensAt(url) {
      address = url
    },
    async stop() {
      isDraining = true
      await jobs.stop(drainSeconds)
      await changes.stop()
    }
  }
}

/** The launcher holds it while the code loads; under load a small one would be swept too often. 2 is V8's default. */
const letYoungHeapGrow = () => setFlagsFromString('--semi-space-growth-factor=2')

// An IPv6 address stands in brackets in a URL.
const addressOf = ({ host, port }: Config): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)

const collectCommands = (loaded: readonly LoadedPlugin[]): Record<string, Commands> =>
  Object.assign({}, ...loaded.map(({ contribution }) => contribution.commands ?? {}))
