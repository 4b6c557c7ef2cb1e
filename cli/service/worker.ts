import type { Config } from '../../core/config.ts'
import { type CommandGroup, command } from '../../core/contract/command.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import type { Log } from '../../core/log.ts'
import { loadConfig } from '../config/config.ts'
import { openForService, openKernel, serviceLog } from '../open-kernel.ts'
import { limitYoungHeap } from '../young-heap.ts'
import { closeStartingOnSignal, forever } from './shutdown.ts'

/** `galley worker`: another process that runs jobs, beside the API. */
export function workerCommand(env: NodeJS.ProcessEnv): CommandGroup[string] {
  return command({
    describe: 'Run a worker and publisher beside the API, on a PostgreSQL server',
    args: {},
    async run({ terminal }): Promise<void> {
      const config = loadConfig(env, terminal.cwd)
      if (config.databaseUrl === undefined) {
        throw new ConflictError(
          'The embedded database belongs to one process, and galley serve includes the worker: run that, or set DATABASE_URL.'
        )
      }
      const log = serviceLog(config.logLevel, env)
      await closeStartingOnSignal(startWorker(config, log), log)
      terminal.note('galley worker is ready')
      await forever()
    },
    text: () => ''
  })
}

async function startWorker(config: Config, log: Log): Promise<{ close(): Promise<void> }> {
  const { value: db, close } = await openForService(config, log, undefined)
  const kernel = await openKernel(config, db, log, true)
  await kernel.jobs.install()
  await kernel.start({ worker: true })
  limitYoungHeap()
  return {
    close: async () => {
      await kernel.stop()
      await close()
    }
  }
}
