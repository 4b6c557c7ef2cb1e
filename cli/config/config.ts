import { existsSync } from 'node:fs'
import envSchema from 'env-schema'
import type { Config } from '../../core/config.ts'
import { AppError } from '../../core/contract/errors.ts'
import { bootstrapFile, readBootstrap } from '../../core/home.ts'
import { dataFolder, type Environment, findHome, readVariables, unfinishedFile } from './home.ts'
import { pluginsConfigPath } from './plugins-config.ts'
import { serverUrlForm, serverUrlPattern } from './server-url.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const keyNames = ['POINDEXTER_SECRET_KEY', 'GALLEY_JWT_SECRET']

/** The keys that the environment gives, as `Config` has them: nothing when there are none. */
export function givenKeys(env: Environment): Pick<Config, 'fromEnvironment'> {
  const fromEnvironment = keyNames.filter(name => (env[name] ?? '') !== '')
  return fromEnvironment.length === 0 ? {} : { fromEnvironment }
}

/** Base64 of 32 bytes: 43 digits and one `=`, of which the last digit carries four bits. */
const base64Of32Bytes = '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$'

const schema = {
  type: 'object',
  required: ['POINDEXTER_SECRET_KEY', 'GALLEY_JWT_SECRET'],
  properties: {
    DATABASE_URL: { type: 'string', pattern: serverUrlPattern },
    POINDEXTER_SECRET_KEY: { type: 'string', pattern: base64Of32Bytes },
    GALLEY_JWT_SECRET: { type: 'string', minLength: 32 },
    HOST: { type: 'string', default: '127.0.0.1', maxLength: 255 },
    PORT: { type: 'integer', default: 8000, minimum: 0, maximum: 65_535 },
    LOG_LEVEL: { type: 'string', default: 'info', enum: [...logLevels] }
  }
}

/** What a value must be, by key: a value itself is never shown, some of them are secret. */
const rules: Readonly<Record<string, string>> = {
  DATABASE_URL: `must be ${serverUrlForm}`,
  POINDEXTER_SECRET_KEY: 'must be 32 bytes in base64 (44 characters)',
  GALLEY_JWT_SECRET: 'must be at least 32 characters',
  HOST: 'must be an address or a host name',
  PORT: 'must be a whole number from 0 to 65535',
  LOG_LEVEL: `must be one of ${logLevels.join(', ')}`
}

interface Variables {
  DATABASE_URL?: string
  POINDEXTER_SECRET_KEY: string
  GALLEY_JWT_SECRET: string
  HOST: string
  PORT: number
  LOG_LEVEL: string
}

/**
 * Reads the configuration: the process environment over `$GALLEY_HOME/bootstrap.env`.
 * @throws AppError naming every fault at once, or saying that the installation is not set up.
 */
export function loadConfig(env: Environment, cwd: string = process.cwd()): Config {
  const home = findHome(env)
  const given = readVariables(env, home)
  if (readBootstrap(home) === null && given.POINDEXTER_SECRET_KEY === undefined) throw notSetUp(home)
  const variables = check(given, home)
  return {
    home,
    databaseUrl: variables.DATABASE_URL,
    secretKey: variables.POINDEXTER_SECRET_KEY,
    jwtSecret: variables.GALLEY_JWT_SECRET,
    host: variables.HOST,
    port: variables.PORT,
    logLevel: variables.LOG_LEVEL,
    pluginsConfigPath: pluginsConfigPath(given.GALLEY_PLUGINS, cwd),
    ...givenKeys(env)
  }
}

/** Setup cannot repair a database that has lost its keys; it completes one that a first setup left behind. */
function notSetUp(home: string): AppError {
  const isLost = existsSync(dataFolder(home)) && !existsSync(unfinishedFile(home))
  return isLost
    ? new AppError(
        'SERVICE_UNAVAILABLE',
        `${dataFolder(home)} holds a database, and ${bootstrapFile(home)} is missing`,
        {
          remedy:
            'put bootstrap.env back, or name another folder with GALLEY_HOME; if it is lost, run galley setup --discard-secrets'
        }
      )
    : new AppError('SERVICE_UNAVAILABLE', `${home} is not set up`, { remedy: 'run galley setup' })
}

function check(given: Record<string, string>, home: string): Variables {
  try {
    return envSchema<Variables>({ schema, data: given, env: false })
  } catch (error) {
    const faults = faultsOf(error)
    throw new AppError('INTERNAL_ERROR', 'The configuration is not valid', {
      fields: Object.fromEntries(faults.map(({ key, isMissing }) => [key, isMissing ? 'is missing' : ruleOf(key)])),
      remedy: remedyOf(faults, given, home)
    })
  }
}

interface VariableFault {
  key: string
  /** Else its value is not valid. */
  isMissing: boolean
}

const ruleOf = (key: string): string => rules[key] ?? 'is not valid'

/** Setup makes what is missing, but never a key for a database that has secrets of another. */
function remedyOf(faults: readonly VariableFault[], given: Record<string, string>, home: string): string {
  const hasDatabase = given.DATABASE_URL !== undefined || existsSync(dataFolder(home))
  const canBeMade = ({ key, isMissing }: VariableFault) =>
    isMissing && !(key === 'POINDEXTER_SECRET_KEY' && hasDatabase)
  if (faults.every(canBeMade)) return 'run galley setup, which makes what is missing'
  const correct = `correct ${bootstrapFile(home)} or the environment`
  return faults.some(({ key }) => key === 'POINDEXTER_SECRET_KEY')
    ? `${correct}; the key must be the one the database was set up with (if it is lost: galley setup --discard-secrets)`
    : correct
}

interface SchemaFault {
  instancePath: string
  params: { missingProperty?: string }
}

function faultsOf(error: unknown): VariableFault[] {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) throw error
  return error.errors.map(({ instancePath, params: { missingProperty } }: SchemaFault) => ({
    key: missingProperty ?? instancePath.slice(1),
    isMissing: missingProperty !== undefined
  }))
}
