import type { FastifyInstance } from 'fastify'
import { createChanges } from './changes.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import { checkSchema } from './db/schema.ts'
import { AuthenticatorService } from './http/access.ts'
import { createApp } from './http/app.ts'
import { httpSettings } from './http/settings.ts'
import { createJobs, type Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { BootError, type BootProblem, orderPlugins, taken } from './order.ts'
import type { Changes, Commands, Contribution, Installation, Plugin, Provides, Service } from './plugin.ts'
import { createSecrets, deriveKey } from './secrets.ts'
import { resolveNeeds, type Services, takeServices } from './services.ts'
import { coreSettings } from './settings/core-settings.ts'
import { settingsPlugin } from './settings/plugin.ts'
import { createSettings, type Declared, type SettingsRegistry } from './settings/store.ts'
import { version } from './version.ts'

/** A plugin with what it brought. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly contribution: Contribution<Provides>
}

/** A wired service. Nothing has touched the database until `open`. */
export interface Kernel {
  readonly plugins: readonly LoadedPlugin[]
  /** CLI command groups by name. */
  readonly commands: Readonly<Record<string, Commands>>
  readonly settings: SettingsRegistry
  readonly jobs: Jobs
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
  /** Finishes or hands back running jobs within 10 s. The database stays open. */
  stop(): Promise<void>
}

const drainSeconds = 10

/**
 * Wires the plugins: order → setup → collect.
 * @throws BootError naming every plugin that is wrong, with the cause and the remedy.
 */
export function boot(deps: { config: Config; db: Db; log: Log; plugins: readonly Plugin[]; now?: () => Date }): Kernel {
  const { config, db, log, now = () => new Date() } = deps
  const changes = createChanges({ db, log })
  const jobs = createJobs({ db, log })
  const declared = new Map<string, Declared>()
  const secrets = createSecrets(Buffer.from(config.secretKey, 'base64'))
  const settings = createSettings({ db, secrets, changes, declared, log })
  const ordered = orderPlugins([settingsPlugin(settings), ...deps.plugins])
  for (const plugin of ordered) {
    for (const [key, setting] of Object.entries(plugin.settings ?? {}))
      declared.set(key, { plugin: plugin.name, setting: setting as Declared['setting'] })
  }
  const services: Services = new Map()
  let address = `http://${config.host}:${config.port}`
  let isDraining = false
  const core = settings.reader({ ...coreSettings, ...httpSettings })
  const installation: Installation = {
    home: config.home,
    version,
    baseUrl: () => core.get('public_url') || address,
    isLoopback: () => isLoopback(config.host),
    signingKey: purpose => deriveKey(config.jwtSecret, purpose)
  }
  const loaded = setUp(ordered, services, plugin => ({
    needs: resolveNeeds(services, plugin.needs ?? {}),
    settings: settings.reader(plugin.settings ?? {}),
    log: log.child({ plugin: plugin.name }),
    emit: jobs.emit,
    enqueue: jobs.enqueue,
    db,
    changes,
    installation,
    now
  }))
  for (const { plugin, contribution } of loaded)
    jobs.register(plugin.name, contribution.jobs ?? [], contribution.subscriptions ?? [])

  return {
    plugins: loaded,
    commands: collectCommands(loaded),
    settings,
    jobs,
    db,
    log,
    service: <T>(token: Service<T>) => services.get(token.id) as T | undefined,
    async open() {
      await checkSchema(db)
      await settings.load()
    },
    async start({ worker }) {
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
    },
    createApp: () =>
      createApp({
        parts: loaded.flatMap(({ plugin, contribution: { routes } }) =>
          routes === undefined ? [] : [{ name: plugin.name, routes }]
        ),
        authenticator: services.get(AuthenticatorService.id) as never,
        settings: core,
        isDraining: () => isDraining,
        changes,
        db,
        installation,
        version,
        log,
        now
      }),
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

function setUp(
  ordered: readonly Plugin[],
  services: Services,
  contextOf: (plugin: Plugin) => Parameters<Plugin['setup']>[0]
): LoadedPlugin[] {
  const problems: BootProblem[] = []
  const loaded: LoadedPlugin[] = []
  for (const plugin of ordered) {
    try {
      const contribution: Contribution<Provides> = plugin.setup(contextOf(plugin))
      const missing = takeServices(services, plugin, contribution.services ?? {})
      if (missing.length > 0)
        problems.push({
          plugin: plugin.name,
          cause: `it promises the service ${missing.join(', ')} and does not give it`,
          remedy: 'Return it from setup.'
        })
      loaded.push({ plugin, contribution })
    } catch (error) {
      problems.push({
        plugin: plugin.name,
        cause: `its setup failed (${(error as Error).message})`,
        remedy: 'Repair it, or remove it from plugins.config.json.'
      })
    }
  }
  problems.push(...takenCommands(loaded))
  if (problems.length > 0) throw new BootError(problems)
  return loaded
}

function takenCommands(loaded: readonly LoadedPlugin[]): BootProblem[] {
  const owner = new Map<string, string>()
  return loaded.flatMap(({ plugin, contribution }) =>
    Object.keys(contribution.commands ?? {}).flatMap(group => {
      const first = owner.get(group)
      if (first === undefined) owner.set(group, plugin.name)
      return first === undefined ? [] : [taken(plugin.name, 'command group', group, first)]
    })
  )
}

const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)

const collectCommands = (loaded: readonly LoadedPlugin[]): Record<string, Commands> =>
  Object.assign({}, ...loaded.map(({ contribution }) => contribution.commands ?? {}))
