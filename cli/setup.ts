import { type Command, command, type Terminal } from '../core/command.ts'
import { ConflictError, InputError } from '../core/errors.ts'
import { findHome, readVariables } from '../core/home.ts'
import type { InitialClient } from '../core/installation.ts'
import { version } from '../core/version.ts'
import { createHome } from './bootstrap-file.ts'
import { claimHome } from './claim-home.ts'
import { install, planBootstrap, type Step } from './installation.ts'
import { commandLog } from './open-kernel.ts'

export interface SetupResult {
  home: string
  database: 'embedded' | 'postgres'
  steps: Step[]
  client_id: string | null
  /** Shown this once; null when the client existed before. */
  client_secret: string | null
  scope: string | null
}

export interface SetupRequest {
  env: NodeJS.ProcessEnv
  terminal: Terminal
  databaseUrl?: string | undefined
  force?: boolean
}

/** `galley setup`: asks nothing; running it again is harmless. */
export function setupCommand(env: NodeJS.ProcessEnv): Command {
  return command({
    describe: 'Prepare an installation: database, keys, first client',
    args: {
      'db-url': {
        type: 'string',
        placeholder: 'URL',
        describe: 'PostgreSQL server to use; default: the embedded database'
      },
      force: {
        type: 'boolean',
        describe: 'Replace the configured database and the first client’s secret; keys are kept'
      }
    },
    run: ({ args, terminal }) => setUp({ env, terminal, databaseUrl: args['db-url'], force: args.force }),
    text: showResult
  }) as Command
}

/** Sets the installation up, showing each step as it passes. */
export async function setUp({ env, terminal, databaseUrl, force = false }: SetupRequest): Promise<SetupResult> {
  const home = findHome(env)
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new InputError({ 'db-url': 'must be a URL that begins with postgres:// or postgresql://' })
  }
  createHome(home)
  const steps: Step[] = []
  const onStep = (step: Step) => {
    steps.push(step)
    terminal.note(`${step.status === 'ok' ? 'ok     ' : 'skipped'}  ${step.step.padEnd(10)}  ${step.detail}`)
  }
  const options = { home, env, cwd: terminal.cwd, databaseUrl, force, log: commandLog(env), onStep }
  const bootstrap = planBootstrap(options)
  const lock = bootstrap.DATABASE_URL === undefined ? await claimForSetup(home, force) : undefined
  const client = lock === null ? null : await install(options, bootstrap, lock)
  return resultOf(home, bootstrap.DATABASE_URL, steps, client)
}

/** The home's lock; null when a server runs there, so that there is nothing to set up. */
async function claimForSetup(home: string, force: boolean) {
  const { lock, owner } = await claimHome({ home, version })
  if (lock !== undefined) return lock
  owner.close()
  if (force)
    throw new ConflictError(`A server runs on ${home} (process ${owner.pid}): --force is for one that does not.`)
  return null
}

function resultOf(home: string, url: string | undefined, steps: Step[], client: InitialClient | null): SetupResult {
  return {
    home,
    database: url === undefined ? 'embedded' : 'postgres',
    steps,
    client_id: client?.client_id ?? null,
    client_secret: client?.client_secret ?? null,
    scope: client === null ? null : 'api:read api:write'
  }
}

function showResult({ home, steps, client_id, client_secret }: SetupResult): string {
  if (steps.length === 0) return `${home} is set up, and its server is running.`
  const lines = [`${home} is ready: galley serve starts the service.`]
  if (client_secret !== null)
    lines.push('', `client_id      ${client_id}`, `client_secret  ${client_secret}`, 'The secret is shown this once.')
  return lines.join('\n')
}

/** Whether `setup` has been run here, or its values come from the environment. */
export function isSetUp(env: NodeJS.ProcessEnv): boolean {
  const variables = readVariables(env, findHome(env))
  return variables.POINDEXTER_SECRET_KEY !== undefined && variables.GALLEY_JWT_SECRET !== undefined
}
