import { type CommandGroup, command } from '../../core/contract/command.ts'
import { loadConfig } from '../config/config.ts'
import { serviceLog } from '../open-kernel.ts'
import { startServer } from './server.ts'
import { closeStartingOnSignal, forever } from './shutdown.ts'

/** `galley serve`: API, worker and publisher in one process. */
export function serveCommand(env: NodeJS.ProcessEnv): CommandGroup[string] {
  return command({
    describe: 'Run the API, the worker and the publisher in one process',
    args: { 'no-worker': { type: 'boolean', describe: 'Only the API; jobs wait for a worker' } },
    async run({ args, terminal }): Promise<void> {
      const config = loadConfig(env, terminal.cwd)
      const log = serviceLog(config.logLevel, env)
      const server = await closeStartingOnSignal(startServer({ config, log, worker: !args['no-worker'] }), log)
      terminal.note(`galley is ready at ${server.url}`)
      await forever()
    },
    text: () => ''
  })
}
