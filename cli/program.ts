import type { Config } from '../core/config.ts'
import type { Kernel } from '../core/kernel/lifecycle.ts'
import type { Program } from './framework/catalogue.ts'

const doctorDescribe = 'Look for what is wrong, and say what to do about it'

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
    loadCommand: async () => (await import('./setup/setup.ts')).setupCommand(env)
  },
  move: {
    describe: 'Take the content along to another database',
    loadCommand: async () => (await import('./move/move.ts')).moveCommand(env)
  },
  doctor: {
    describe: doctorDescribe,
    loadCommand: async () => (await import('./doctor/doctor.ts')).doctorCommand(env)
  },
  demo: {
    describe: 'Turn a topic into a published post, showing each stage',
    loadCommand: async () => (await import('./demo/demo.ts')).demoCommand(env)
  },
  plugins: {
    describe: 'Show, switch, examine and create plugins',
    load: async () => (await import('./plugins/commands.ts')).pluginCommands(env)
  },
  completion: {
    describe: 'Print a completion script for bash, zsh or fish',
    loadCommand: async () => (await import('./completion/completion.ts')).completionCommand(env)
  }
})

/** What of `backup` works without the database: to find the file that brings it back. */
export const backupsWithoutDatabase = (home: string): Program => ({
  backup: {
    describe: 'List the backups of the home',
    load: async () => ({ list: (await import('./backup/commands.ts')).listCommand({ home }) })
  }
})

/** Looks at what is open here; the process that was called looks at the rest. */
const doctorOf = (kernel: Kernel, config: Config): Program => ({
  doctor: {
    describe: doctorDescribe,
    loadCommand: async () => (await import('./doctor/doctor.ts')).ownerDoctorCommand(kernel, config)
  }
})

/** Commands that need the plugins wired, and a database whatever its state. */
export const installationProgram = (kernel: Kernel, config: Config): Program => ({
  migrate: {
    describe: 'Bring the database up to date, or back',
    load: async () => (await import('./commands/migrate.ts')).migrateCommands(kernel.migrator)
  },
  backup: {
    describe: 'Write, prove and restore backups of the whole installation',
    load: async () => (await import('./backup/commands.ts')).backupCommands(kernel, config)
  }
})

/** Commands that run where the database is open: in this process, or in the one that owns the embedded database. */
export const kernelProgram = (kernel: Kernel, config: Config): Program => ({
  ...kernel.commands,
  ...installationProgram(kernel, config),
  ...doctorOf(kernel, config),
  settings: {
    describe: 'Read and change settings',
    load: async () => (await import('./commands/settings.ts')).settingsCommands(kernel.settings, kernel.keys)
  },
  events: {
    describe: 'Show what happened in the pipeline, or with --audit the audit log',
    loadCommand: async () => (await import('./commands/events.ts')).eventsCommand(kernel)
  },
  jobs: {
    describe: 'Look at the work behind the service, and start what was given up anew',
    load: async () => (await import('./commands/jobs.ts')).jobCommands(kernel)
  }
})
