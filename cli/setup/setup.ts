import type { InitialClient } from '../../core/contract/client-provisioner.ts'
import { type CommandGroup, command, type Terminal } from '../../core/contract/command.ts'
import { AppError, ConflictError, InputError } from '../../core/contract/errors.ts'
import { readBootstrap } from '../../core/home.ts'
import { version } from '../../core/version.ts'
import { findHome, readVariables } from '../config/home.ts'
import { databaseFault } from '../config/server-url.ts'
import { findDataFault } from '../database/data-folder.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { tryServer } from '../database/try-server.ts'
import { commandLog } from '../open-kernel.ts'
import { claimHome } from '../owner/claim-home.ts'
import { checkArguments } from './arguments.ts'
import { createHome } from './bootstrap-file.ts'
import { checkSetup } from './check.ts'
import { type CheckReport, checkText } from './check-report.ts'
import { startDatabaseContainer } from './database-container.ts'
import { discardLostSecrets, discardQuestion } from './discard-secrets.ts'
import { createDocker } from './docker.ts'
import { checkDataFolder, install, planBootstrap, type SetupStep } from './installation.ts'
import { askForDatabase, type DatabaseProbes } from './questions.ts'

interface SetupResult {
  home: string
  database: 'embedded' | 'postgres'
  steps: SetupStep[]
  client_id: string | null
  /** Shown this once; null when the client existed before. */
  client_secret: string | null
  scope: string | null
  /** With `--discard-secrets`: what has to be set again. */
  discarded?: string[]
}

interface SetupRequest {
  env: NodeJS.ProcessEnv
  terminal: Terminal
  databaseUrl?: string | undefined
  force?: boolean
}

const setupArguments = {
  auto: { type: 'boolean', describe: 'Start PostgreSQL with pgvector in a container, and use that' },
  'db-url': {
    type: 'string',
    placeholder: 'URL',
    isSecret: true,
    describe: 'PostgreSQL server to use; default: the embedded database'
  },
  check: { type: 'boolean', describe: 'Change nothing: check every part and print what to do' },
  force: {
    type: 'boolean',
    describe: 'Replace the configured database and the first client’s secret; keys are kept'
  },
  'discard-secrets': {
    type: 'boolean',
    describe: 'When POINDEXTER_SECRET_KEY is lost: delete the secrets that it encrypted, keep all else, make a new key'
  }
} as const

/** `galley setup`: asks only a person, and only the first time; running it again is harmless. */
export function setupCommand(env: NodeJS.ProcessEnv): CommandGroup[string] {
  return command({
    describe: 'Prepare an installation: database, keys, first client',
    returns:
      '{home, database, steps, client_id, client_secret, scope}, with --discard-secrets and discarded; with --check {home, ready, items}',
    exitStatuses: { 1: 'refused or failed; with --check, an item failed' },
    args: setupArguments,
    confirm({ args }) {
      checkArguments(args)
      if (args['discard-secrets']) return { text: discardQuestion, isIrreversible: true }
      if (!args.force || !isSetUp(env)) return null
      const place = args.auto || args['db-url'] !== undefined ? 'the configured database and ' : ''
      const left = contentLeftNotice(env, args['db-url'])
      const question = `Replace ${place}the first client’s secret? What uses it stops working at once.`
      return { text: left === null ? question : `${left}\n${question}` }
    },
    async run({ args, isJson, terminal }): Promise<SetupResult | CheckReport> {
      const { auto, check, force, 'db-url': databaseUrl } = args
      checkArguments(args)
      if (check) return await checkSetup({ env, terminal, databaseUrl })
      const request = { env, terminal, databaseUrl, force }
      if (args['discard-secrets']) return await discardAndSetUp(request)
      if (auto) return await setUpContainer(request)
      const isAsked = terminal.isInteractive && !isJson && !force && databaseUrl === undefined
      return await (isAsked ? setUpAsking(request) : setUp(request))
    },
    text: (result, terminal) => ('items' in result ? checkText(result, terminal) : showResult(result)),
    exitStatus: result => ('items' in result && result.items.some(({ status }) => status === 'FAIL') ? 1 : 0)
  })
}

/** What another database would leave where it is; null when it is the same, or there was none. */
function contentLeftNotice(env: NodeJS.ProcessEnv, databaseUrl: string | undefined): string | null {
  if (databaseUrl === undefined || !isSetUp(env)) return null
  const home = findHome(env)
  const present = readBootstrap(home)?.DATABASE_URL || undefined
  // With another login or parameter it is the same database.
  if (present !== undefined && databaseName(present) === databaseName(databaseUrl)) return null
  if (present === undefined && findDataFault(home) !== null) return null
  return `The posts, tasks and settings in ${databaseName(present)} stay there, and the new one begins without them: galley move takes them along.`
}

/** What is configured already is not asked again. */
async function setUpAsking(request: SetupRequest): Promise<SetupResult> {
  const { env, terminal } = request
  const isConfigured = isSetUp(env) || readVariables(env, findHome(env)).DATABASE_URL !== undefined
  const answer = isConfigured ? null : await askForDatabase(terminal, probesOf(request))
  if (answer?.kind === 'container') return await setUpContainer(request)
  return await setUp(answer?.kind === 'server' ? { ...request, databaseUrl: answer.url } : request)
}

const probesOf = ({ env, terminal }: SetupRequest): DatabaseProbes => ({
  docker: () => faultOf(() => createDocker(env, terminal.signal).check()),
  server: async url => {
    const fault = databaseFault(url)
    return fault === undefined ? await faultOf(() => tryServer(url, findHome(env))) : `The URL ${fault}.`
  }
})

/** What a person can repair and try again. */
async function faultOf(probe: () => Promise<void>): Promise<string | null> {
  try {
    await probe()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The database first: nothing is written before it answers. */
async function setUpContainer(request: SetupRequest): Promise<SetupResult> {
  const { env, terminal, force = false } = request
  const home = findHome(env)
  if (env.DATABASE_URL)
    throw new ConflictError('DATABASE_URL is set in the environment and wins over setup --auto: unset it first.')
  const present = readBootstrap(home)
  const configuredUrl = present === null ? null : present.DATABASE_URL || undefined
  const databaseUrl = await startDatabaseContainer({ env, home, configuredUrl, force, terminal })
  return await setUp({ ...request, databaseUrl })
}

/** The rest of a setup makes a new secret of the first client. */
async function discardAndSetUp(request: SetupRequest): Promise<SetupResult> {
  const { env, terminal, databaseUrl } = request
  const home = findHome(env)
  const options = { home, env, cwd: terminal.cwd, databaseUrl, force: false, log: commandLog(env), onStep: () => {} }
  const lost = await discardLostSecrets({ env, home, bootstrap: planBootstrap(options) })
  return { ...(await setUp({ ...request, force: true })), discarded: lost.filter(key => !key.startsWith('cli_oauth_')) }
}

/** The first setup would fill another database than the operator means. One that is in use stays in use. */
function checkConfiguredUrl(env: NodeJS.ProcessEnv, home: string): void {
  const { DATABASE_URL = '', POINDEXTER_SECRET_KEY } = readVariables(env, home)
  const fault = POINDEXTER_SECRET_KEY === undefined ? databaseFault(DATABASE_URL) : undefined
  if (fault !== undefined) throw new InputError({ DATABASE_URL: fault })
}

/** Sets the installation up, showing each step as it passes. */
export async function setUp({ env, terminal, databaseUrl, force = false }: SetupRequest): Promise<SetupResult> {
  const home = findHome(env)
  if (databaseUrl === undefined) checkConfiguredUrl(env, home)
  createHome(home)
  const steps: SetupStep[] = []
  const onStep = (step: SetupStep) => {
    steps.push(step)
    terminal.note(`${step.status === 'ok' ? 'ok     ' : 'skipped'}  ${step.step.padEnd(10)}  ${step.detail}`)
  }
  const options = { home, env, cwd: terminal.cwd, databaseUrl, force, log: commandLog(env), onStep }
  const bootstrap = planBootstrap(options)
  const left = contentLeftNotice(env, bootstrap.DATABASE_URL)
  if (bootstrap.DATABASE_URL === undefined) checkDataFolder(home, force)
  const lock = bootstrap.DATABASE_URL === undefined ? await claimForSetup(home, force) : undefined
  // What is refused before the database is opened lets go of the home, too.
  const client = lock === null ? null : await install(options, bootstrap, lock).finally(() => lock?.release())
  if (left !== null) terminal.note(`warning: ${left}`)
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

function resultOf(
  home: string,
  url: string | undefined,
  steps: SetupStep[],
  client: InitialClient | null
): SetupResult {
  return {
    home,
    database: url === undefined ? 'embedded' : 'postgres',
    steps,
    client_id: client?.client_id ?? null,
    client_secret: client?.client_secret ?? null,
    scope: client === null ? null : 'api:read api:write'
  }
}

/** What sets a secret again. */
const remedyFor = (key: string): string => {
  const [, consumer] = /^(.+)_oauth_client_secret$/.exec(key) ?? []
  return consumer === undefined ? `galley settings set ${key}` : `galley auth migrate-${consumer}`
}

function showResult({ home, steps, client_id, client_secret, discarded = [] }: SetupResult): string {
  if (steps.length === 0) return `${home} is set up, and its server is running.`
  const lines = [`${home} is ready: galley serve starts the service.`]
  if (client_secret !== null)
    lines.push('', `client_id      ${client_id}`, `client_secret  ${client_secret}`, 'The secret is shown this once.')
  if (discarded.length > 0) lines.push('', 'To be set again:', ...discarded.map(key => `  ${key}: ${remedyFor(key)}`))
  return lines.join('\n')
}

/** Whether the keys are there, and the embedded database they are for was never made. */
export function hasNoDatabase(env: NodeJS.ProcessEnv): boolean {
  const home = findHome(env)
  return readVariables(env, home).DATABASE_URL === undefined && findDataFault(home)?.kind === 'none'
}

/** Whether `setup` has been run here, or its values come from the environment. */
export function isSetUp(env: NodeJS.ProcessEnv): boolean {
  const variables = readVariables(env, findHome(env))
  return variables.POINDEXTER_SECRET_KEY !== undefined && variables.GALLEY_JWT_SECRET !== undefined
}
