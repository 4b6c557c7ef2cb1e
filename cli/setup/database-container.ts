import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Terminal } from '../../core/contract/command.ts'
import { AppError, ConflictError, UnavailableError } from '../../core/contract/errors.ts'
import { checkServer } from '../../core/db/postgres/requirements.ts'
import { errorCode, messageOf } from '../../core/unknown.ts'
import { openDatabase } from '../database/open.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { findFreePort } from '../service/free-port.ts'
import { type Container, createDocker, type Docker } from './docker.ts'

const containerName = 'galley-postgres'
const image = 'pgvector/pgvector:pg17'
const label = 'galley.home'
/** User and database, as the image makes them. */
const user = 'galley'

const timeoutMs = 60_000
const retryMs = 250

interface ContainerRequest {
  env: NodeJS.ProcessEnv
  home: string
  /** What the home is set up with: null when it is not, undefined for the embedded database. */
  configuredUrl: string | undefined | null
  /** Use a container instead of another configured database. */
  force: boolean
  terminal: Terminal
}

/**
 * Starts PostgreSQL with pgvector in a container of this home's own, or takes the one that is there. Returns its
 * URL once it can be used. Safe to repeat: the container itself remembers its password and port.
 * @throws UnavailableError without a Docker engine, or when PostgreSQL does not answer; ConflictError when the container
 * is another home's, or the home is set up with another database.
 */
export async function startDatabaseContainer(request: ContainerRequest): Promise<string> {
  const { env, home, terminal } = request
  const docker = createDocker(env, terminal.signal)
  await docker.check()
  const found = await docker.inspect(containerName)
  if (found === null) await runContainer(docker, request)
  const url = urlOf(found ?? (await docker.inspect(containerName)), home)
  refuseOther(request, url)
  if (found?.isRunning === false) {
    terminal.note(`starting the container ${containerName}`)
    await docker.start(containerName)
  }
  await untilUsable(url, home, terminal)
  return url
}

function refuseOther({ home, configuredUrl, force }: ContainerRequest, url: string | undefined): void {
  if (force || configuredUrl === null || (url !== undefined && url === configuredUrl)) return
  throw new ConflictError(
    `${home} is set up with ${databaseName(configuredUrl)}: add --force to use a container instead.`
  )
}

function urlOf(container: Container | null, home: string): string {
  const { labels = {}, variables = {}, port } = container ?? {}
  const { POSTGRES_PASSWORD: password, POSTGRES_USER: name = user, POSTGRES_DB: database = name } = variables
  if (labels[label] === home && password !== undefined && port !== undefined)
    return `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  const owner = labels[label] ?? 'something else'
  throw new ConflictError(
    `The container ${containerName} belongs to ${owner}, not to ${home}: give its database with --db-url, or remove it with docker rm.`
  )
}

/** The login of a container that is gone: its volume wants the same one, and others know the port. */
function loginOf(url: string | undefined | null): { password: string; port: number } | null {
  if (!url || !URL.canParse(url)) return null
  const { hostname, username, password, port } = new URL(url)
  return hostname === '127.0.0.1' && username === user ? { password, port: Number(port) } : null
}

async function runContainer(docker: Docker, request: ContainerRequest): Promise<void> {
  const { home, configuredUrl, terminal } = request
  const login = loginOf(configuredUrl)
  if (login === null) refuseOther(request, undefined)
  const { password, port } = login ?? { password: randomBytes(24).toString('base64url'), port: await freePort() }
  terminal.note(
    `starting ${image} in the container ${containerName}, on 127.0.0.1:${port}; the first time it is downloaded`
  )
  const place = ['--name', containerName, '--label', `${label}=${home}`, '--restart', 'unless-stopped']
  const ways = ['-p', `127.0.0.1:${port}:5432`, '-v', `${containerName}:/var/lib/postgresql/data`]
  try {
    const variables = { POSTGRES_PASSWORD: password, POSTGRES_USER: user, POSTGRES_DB: user }
    await docker.run([...place, ...ways, image], variables)
  } catch (error) {
    // A container that was made but could not start, such as for its port, would be in the way of the next try.
    if (!terminal.signal.aborted) await docker.remove(containerName)
    throw error
  }
}

/** Below the range that systems give to outgoing connections: the container wants it again after a restart. */
async function freePort(): Promise<number> {
  const port = await findFreePort('127.0.0.1', 5433, 5532)
  if (port !== undefined) return port
  throw new ConflictError('No port from 5433 to 5532 is free on 127.0.0.1 for the database: stop what listens there.')
}

async function untilUsable(url: string, home: string, { progress, signal }: Terminal): Promise<void> {
  const db = await openDatabase({ url, home, max: 1 })
  const since = Date.now()
  const shown = progress('waiting for PostgreSQL to answer, seconds')
  try {
    for (;;) {
      const fault = await checkServer(db).then(
        () => null,
        (error: unknown) => error
      )
      if (fault === null) return
      // A server that answers and does not fit will not change.
      const isStarting = !(fault instanceof AppError) || fault.cause !== undefined
      if (!isStarting) throw fault
      if (isRefused(fault)) throw refused(fault)
      const waitedMs = Date.now() - since
      if (waitedMs > timeoutMs) throw silent(fault)
      shown.update(Math.floor(waitedMs / 1000), timeoutMs / 1000)
      await wait(retryMs, undefined, { signal })
    }
  } finally {
    shown.end()
    await db.close()
  }
}

/** invalid_password: the volume keeps the password it was made with. */
const isRefused = (fault: unknown): boolean => [fault, causeOf(fault)].some(error => errorCode(error) === '28P01')

function refused(cause: unknown): ConflictError {
  return new ConflictError(
    `The volume ${containerName} holds the database of another installation, whose password is not known here: put that bootstrap.env back, or remove the container and the volume if nothing in it is needed.`,
    'CONFLICT',
    { cause }
  )
}

const causeOf = (fault: unknown): unknown => (fault instanceof Error ? fault.cause : undefined)

function silent(fault: unknown): UnavailableError {
  const message = messageOf(causeOf(fault) ?? fault)
  return new UnavailableError(
    `PostgreSQL in the container ${containerName} does not answer (${message}): docker logs ${containerName} says why. Run galley setup --auto again after that.`,
    { cause: fault }
  )
}
