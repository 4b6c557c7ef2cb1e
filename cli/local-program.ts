import { doctorDescribe } from './checks/check-names.ts'
import type { Program } from './framework/catalogue.ts'

/** Commands that run in the process that was called: they start, set up or become the service. */
export function localProgram(env: NodeJS.ProcessEnv): Program {
  const program: Program = {
    serve: {
      describe: 'Run the API, the worker and the publisher in one process',
      loadCommand: async () => (await import('./service/serve.ts')).serveCommand(env)
    },
    worker: {
      describe: 'Run a worker and publisher beside the API, on a PostgreSQL server',
      loadCommand: async () => (await import('./service/worker.ts')).workerCommand(env)
    },
    setup: {
      describe: 'Prepare an installation: database, keys, first client',
      loadCommand: async () => (await import('./setup/setup.ts')).setupCommand(env)
    },
    move: {
      describe: 'Move the content to another database',
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
      describe: 'Show, switch, check and create plugins',
      load: async () => (await import('./plugins/commands.ts')).pluginCommands(env)
    },
    completion: {
      describe: 'Print a completion script for bash, zsh or fish',
      loadCommand: async () => (await import('./completion/completion.ts')).completionCommand(env, program)
    }
  }
  return program
}
