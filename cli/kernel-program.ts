import type { Config } from '../core/config.ts'
import type { Kernel } from '../core/kernel/kernel.ts'
import { doctorDescribe } from './checks/check-names.ts'
import type { Program } from './framework/catalogue.ts'

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
    load: async () => (await import('./migrations/commands.ts')).migrateCommands(kernel)
  },
  backup: {
    describe: 'Write, verify and restore backups of the whole installation',
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
    load: async () => (await import('./settings/commands.ts')).settingsCommands(kernel.settings, kernel.keys)
  },
  jobs: {
    describe: 'Show the background jobs, and start parked ones again',
    load: async () => (await import('./jobs/commands.ts')).jobCommands(kernel)
  }
})
