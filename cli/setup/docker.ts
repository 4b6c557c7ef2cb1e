import { execFile } from 'node:child_process'
import { ConflictError, UnavailableError } from '../../core/contract/errors.ts'

/** Pulling an image takes its time. */
const pullTimeoutMs = 10 * 60_000
const commandTimeoutMs = 20_000

/** A container, as far as it is of use here. */
export interface Container {
  isRunning: boolean
  labels: Readonly<Record<string, string>>
  /** Its environment variables. */
  variables: Readonly<Record<string, string>>
  /** Port on this machine that leads to PostgreSQL's; undefined when none does. */
  port: number | undefined
}

/** What is asked of a Docker engine, through its command line. */
export interface Docker {
  /** @throws UnavailableError saying what to do when there is no engine. */
  check(): Promise<void>
  inspect(name: string): Promise<Container | null>
  start(name: string): Promise<void>
  /** `variables` reach the container without standing in the process list. */
  run(argv: readonly string[], variables: Readonly<Record<string, string>>): Promise<void>
  /** Removes a container that does not run; one that runs stays. */
  remove(name: string): Promise<void>
}

export function createDocker(env: NodeJS.ProcessEnv, signal: AbortSignal): Docker {
  const call = (argv: readonly string[], timeout: number, variables = {}) =>
    execute(argv, { env: { ...env, ...variables }, signal, timeout })
  return {
    async check() {
      const { status, error } = await call(['version', '--format', '{{.Server.Version}}'], commandTimeoutMs)
      if (status === 'missing') throw noDocker('There is no docker command on this machine')
      if (status !== 0) throw noDocker(`No Docker engine answers (${error}); start it and try again`)
    },
    async inspect(name) {
      const { status, output } = await call(['container', 'inspect', name], commandTimeoutMs)
      return status === 0 ? readContainer(output) : null
    },
    async start(name) {
      const { status, error } = await call(['start', name], commandTimeoutMs)
      if (status !== 0) throw new UnavailableError(`docker start ${name} failed: ${error}`)
    },
    async run(argv, variables) {
      const passed = Object.keys(variables).flatMap(key => ['-e', key])
      const { status, error } = await call(['run', '-d', ...passed, ...argv], pullTimeoutMs, variables)
      if (status !== 0) throw new UnavailableError(`docker run failed: ${error}`)
    },
    async remove(name) {
      await call(['rm', name], commandTimeoutMs)
    }
  }
}

const noDocker = (cause: string) =>
  new UnavailableError(
    `${cause}. Without Docker, galley setup uses the embedded database, and galley setup --db-url postgres://… a PostgreSQL server with pgvector.`
  )

interface Outcome {
  status: number | 'missing'
  output: string
  /** The last line it wrote to stderr. */
  error: string
}

function execute(
  argv: readonly string[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal; timeout: number }
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  execFile('docker', argv, options, (fault, output, errors) => {
    if (options.signal.aborted) return reject(options.signal.reason)
    const error = errors.trim().split('\n').at(-1) || (fault?.message ?? '')
    const code = fault === null ? 0 : fault.code
    resolve({ status: code === 'ENOENT' ? 'missing' : typeof code === 'number' ? code : 1, output, error })
  })
  return promise
}

interface Inspected {
  State: { Running: boolean }
  Config: { Env: string[] | null; Labels: Record<string, string> | null }
  HostConfig: { PortBindings: Record<string, { HostPort: string }[] | null> | null }
}

/** @throws ConflictError for an answer that is not docker's. */
function readContainer(text: string): Container {
  try {
    const [{ State, Config, HostConfig }]: [Inspected] = JSON.parse(text)
    const variables = (Config.Env ?? []).map(line => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1)
    ])
    const port = HostConfig.PortBindings?.['5432/tcp']?.[0]?.HostPort
    return {
      isRunning: State.Running,
      labels: Config.Labels ?? {},
      variables: Object.fromEntries(variables),
      port: port === undefined ? undefined : Number(port)
    }
  } catch (error) {
    throw new ConflictError('docker container inspect answered something that cannot be read.', 'CONFLICT', {
      cause: error
    })
  }
}
