import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../core/config.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import { responseInProgress } from '../../core/http/sockets.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Log } from '../../core/log.ts'
import { errorCode } from '../../core/unknown.ts'
import { version } from '../../core/version.ts'
import { requireDatabase } from '../database/data-folder.ts'
import { deferDb } from '../database/deferred.ts'
import { runProgram } from '../framework/run.ts'
import { kernelProgram } from '../kernel-program.ts'
import { openForService, wireKernel } from '../open-kernel.ts'
import { lockWithoutServer } from '../owner/claim-home.ts'
import { listenForCommands, type RunLine } from '../owner/socket.ts'
import { explainRefusal } from '../plugins/explain-refusal.ts'
import { limitYoungHeap } from '../young-heap.ts'
import { closeAll } from './close-all.ts'
import { holdTickShape } from './tick-shape.ts'

/** A running service. */
export interface Server {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  /** Runs a command line in it. */
  readonly run: RunLine
  /** Stops accepting, finishes or hands back what runs, and lets go of the database. */
  close(): Promise<void>
}

interface ServerOptions {
  config: Config
  log: Log
  /** Whether it also runs jobs and publishes. */
  worker: boolean
}

/**
 * Starts the service.
 * @throws ConflictError when another process owns the home, or the port is taken.
 */
export async function startServer({ config, log, worker }: ServerOptions): Promise<Server> {
  holdTickShape()
  const lock = config.databaseUrl === undefined ? await lockForServer(config.home) : undefined
  const opening = openForService(config, log, lock)
  void preloadCode(config)
  // An opening that fails has closed what it opened.
  const closeSteps: (() => Promise<unknown>)[] = [
    () =>
      opening.then(
        ({ close }) => close(),
        () => {}
      )
  ]
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(closeSteps))
  try {
    const db = deferDb(
      config.databaseUrl === undefined ? 'pglite' : 'postgres',
      opening.then(({ value }) => value)
    )
    const kernel = await wireKernel(config, db, log)
    const run = createLineRunner(kernel, config)
    const app = await openApp(kernel)
    const sockets = followSockets(app.server)
    const url = await listen(app, config)
    kernel.setListenAddress(url)
    // Both at once: requests under way and running jobs share the time a shutdown may take.
    closeSteps.push(() => waitForAll([closeApp(app, sockets, log), kernel.stop()]))
    await kernel.start({ worker })
    limitYoungHeap()
    if (lock !== undefined) {
      const commands = await listenForCommands({ home: config.home, version, url, run, log })
      closeSteps.push(() => commands.close())
    }
    return { url, run, close }
  } catch (error) {
    // Why the start failed says more than what then could not be closed.
    await close().catch(fault => log.error({ err: fault }, 'the failed start could not close all it had opened'))
    throw error
  }
}

/** Runs command lines where everything is open. */
const createLineRunner =
  (kernel: Kernel, config: Config): RunLine =>
  (argv, session) => {
    const timeZone = () => kernel.settings.value('operator_timezone')
    const explain = (error: unknown) => explainRefusal(error, argv, config.pluginsConfigPath)
    const program = kernelProgram(kernel, config)
    return runProgram({ name: 'galley', version, timeZone, program, explain }, argv, session)
  }

/**
 * The app, on a database that fits this release, with the tables and queues of the jobs. It is made while the database opens;
 * where others bring routes, which may read settings and do anything wrong, one after the other.
 */
async function openApp(kernel: Kernel): Promise<FastifyInstance> {
  const { originOf } = await import('../../core/kernel/origin.ts')
  if (kernel.plugins.some(({ plugin }) => originOf(plugin) === 'third-party')) {
    await kernel.open({ willStart: true })
    const app = await kernel.createApp()
    // What is wrong with others' routes has stopped the start before anything was written.
    await kernel.jobs.install()
    return app
  }
  const making = kernel.createApp()
  const opening = kernel.open({ willStart: true }).then(() => kernel.jobs.install())
  // Neither goes on behind a start that failed. A fault of the database is reported first.
  const [opened, made] = await Promise.allSettled([opening, making])
  if (opened.status === 'rejected' && made.status === 'fulfilled') await made.value.close().catch(() => {})
  await opening
  return await making
}

/** While the database opens in its thread, this one loads the code it will need. Its faults are reported when it is used. */
async function preloadCode({ pluginsConfigPath }: Config): Promise<void> {
  // After the thread was started: reading code holds this one up.
  await setImmediate()
  const plugins = import('../../core/kernel/load.ts').then(({ loadPlugins }) => loadPlugins(pluginsConfigPath))
  await Promise.allSettled([
    plugins,
    import('../../core/kernel/lifecycle.ts'),
    import('../../core/http/app.ts'),
    import('pg-boss')
  ])
}

async function lockForServer(home: string) {
  requireDatabase(home)
  return await lockWithoutServer(
    { home, version },
    pid =>
      `${home} is already served by process ${pid}: a second server would need another GALLEY_HOME. Commands reach the running one by themselves.`
  )
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw explainListen(error, host, port)
  }
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens at no port.')
  return urlOf(address)
}

/** Requests still under way this long after the signal are cut off, so that the whole exit takes less than 10 s. */
const requestGraceMs = 8_000

async function closeApp(app: FastifyInstance, sockets: ReadonlySet<Socket>, log: Log): Promise<void> {
  const cut = setTimeout(() => {
    const requests = requestsOn(sockets)
    if (requests.length > 0) log.warn({ requests }, 'requests did not end in time: they are cut off')
    app.server.closeAllConnections()
  }, requestGraceMs)
  await app.close().finally(() => clearTimeout(cut))
}

function followSockets(server: FastifyInstance['server']): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** What is being answered: the first of each connection, without a query, which may hold what nobody else is to read. */
function requestsOn(sockets: ReadonlySet<Socket>): string[] {
  const responses = [...sockets].flatMap(socket => responseInProgress(socket) ?? [])
  return responses.map(({ req }) => `${req.method} ${req.url?.split('?')[0]}`)
}

/** The database stays open until both are over. */
async function waitForAll(ends: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(ends)
  await Promise.all(ends)
}

function explainListen(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return new ConflictError(`Port ${port} on ${host} is in use: stop what listens there, or set PORT.`)
  if (code === 'EACCES')
    return new ConflictError(`Port ${port} may not be used by this user: set PORT to 1024 or more.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConflictError(`${host} is not an address of this machine: set HOST.`)
  return error
}

/** A wildcard address is where it listens, not where one can go. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host === address ? `[${host}]` : host}:${port}`
}
