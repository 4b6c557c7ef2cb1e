import type { FastifyInstance } from 'fastify'
import type { Commands, SingleCommand } from '../contract/command.ts'
import type { Db } from '../contract/database.ts'
import type { ErrorDefinitions } from '../contract/error-codes.ts'
import type { Service } from '../contract/services.ts'
import type { MigrationSource } from '../db/migrations/files.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { KeyRotationDeps } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { SettingsRegistry } from '../settings/store.ts'
import type { LoadedPlugin } from './contribution-rules.ts'

/** A wired service. Nothing has touched the database until `open`. */
export interface Kernel {
  readonly plugins: readonly LoadedPlugin[]
  /** What the plugins bring to the command line, by name. */
  readonly commands: Readonly<Record<string, Commands | SingleCommand>>
  readonly settings: SettingsRegistry
  readonly keys: KeyRotationDeps
  readonly jobs: Jobs
  /** Every error code there is. */
  readonly errors: ErrorDefinitions
  /** Where the migrations of the service and its plugins are, in the order they run. */
  readonly migrations: readonly MigrationSource[]
  readonly db: Db
  readonly log: Log
  /** A service by its token; undefined when no plugin provides it. */
  service<T>(token: Service<T>): T | undefined
  /**
   * Checks the schema and reads the settings. Plugins may use the database after it; in a process that `willStart`, only
   * after `start`. @throws AppError when the database does not fit this release.
   */
  open(options?: { willStart?: boolean }): Promise<void>
  /** Follows changes made by other processes and, as a worker, runs jobs. */
  start(role: { worker: boolean }): Promise<void>
  /** The HTTP app, not yet listening. `onRoute` is called with each route and its plugin. */
  createApp(options?: { onRoute?(plugin: string, route: string): void }): Promise<FastifyInstance>
  /** Tells where the app listens, once it does. */
  setListenAddress(url: string): void
  /** Finishes or hands back running jobs, within 9 s. The database stays open. */
  stop(): Promise<void>
}
