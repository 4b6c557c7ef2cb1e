import type { Program } from '../core/command-catalogue.ts'
import type { Config } from '../core/config.ts'
import type { Migrator } from '../core/db/migrate.ts'
import type { Kernel } from '../core/kernel.ts'

/** Commands that run in the process that was called: they start, set up or become the service. */
export const localProgram = (env: NodeJS.ProcessEnv): Program => ({
  serve: {
    describe: 'Run the API, the worker and the publisher in one process',
    loadCommand: async () => (await import('./serve.ts')).serveCommand(env)
  },
  worker: {
    describe: 'Run a worker and publisher beside the API, on a PostgreSQL server',
    loadCommand: async () => (await import('./worker.ts')).workerCommand(env)
  },
  setup: {
    describe: 'Prepare an installation: database, keys, first client',
    loadCommand: async () => (await import('./setup.ts')).setupCommand(env)
  },
  demo: {
    describe: 'Turn a topic into a published post, showing each stage',
    loadCommand: async () => (await import('./demo.ts')).demoCommand(env)
  }
})

/** Commands that need a database and no plugins: they work on one that is not up to date. */
export const databaseProgram = (migrator: () => Migrator): Program => ({
  migrate: {
    describe: 'Bring the database up to date, or back',
    load: async () => (await import('./migrate.ts')).migrateCommands(migrator)
  }
})

/** Commands that run where the database is open: in this process, or in the one that owns the embedded database. */
export const kernelProgram = (kernel: Kernel, config: Config, migrator: () => Migrator): Program => ({
  ...kernel.commands,
  ...databaseProgram(migrator),
  settings: {
    describe: 'Read and change settings',
    load: async () => (await import('./settings.ts')).settingsCommands(kernel.settings)
  },
  plugins: {
    describe: 'Show the plugins',
    load: async () => (await import('./plugins.ts')).pluginCommands(kernel, config.pluginsConfigPath)
  }
})
