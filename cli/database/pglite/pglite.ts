import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import type { Db, Listener, OnNotify, Param, StatementOptions, Tx } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { currentLane, serially } from '../../../core/db/lanes.ts'
import type { Serial } from '../../../core/db/serial.ts'
import { errorCode, messageOf } from '../../../core/unknown.ts'
import { toUnavailable } from '../faults.ts'
import { laneLimits } from '../lane-limits.ts'
import { createOpenTransactions, idleFault } from '../open-transactions.ts'
import { restoreDataRemedy } from '../restore-remedy.ts'
import { createIdleWatch } from '../session/idle-watch.ts'
import { type DbLog, runRetrying, runScript, runTransaction, sessionSettings } from '../session/session.ts'
import { createStatementNames } from '../session/statement-names.ts'
import { parsedTypes } from '../session/types.ts'
import { createTransactionScope } from '../transaction-scope.ts'
import { compiledEngine } from './engine.ts'
import { createLaneScheduler } from './lane-scheduler.ts'
import { buffersOf, type FromWorker, type ToWorker, type WorkerStart } from './protocol.ts'
import { PgliteStream } from './stream.ts'

interface PgliteOptions extends WorkerStart {
  /** A transaction that stays open without a statement for longer is ended; those of reads and searches sooner. */
  idleTransactionMs?: number
  log?: DbLog
}

/** The embedded database: the interface of a server's, and its data folder as one tar. */
export interface Pglite extends Db {
  /** The data folder as a tar, for `snapshot`. About 20 MB. */
  dump(): Promise<Uint8Array>
}

/**
 * PGlite in a thread of its own, so that a heavy query does not hold up the process, spoken to by pg's own client:
 * types, errors and notifications are those of a server. It has one session: statements and transactions take turns.
 * The caller holds the lock on the home; a second process on the same folder would destroy rows.
 */
export async function createPglite({ log, idleTransactionMs = 600_000, ...start }: PgliteOptions): Promise<Pglite> {
  const embedded = await startWorker(start)
  const client = await connect(embedded)
  const names = createStatementNames()
  const scope = createTransactionScope()
  const open = createOpenTransactions(log)
  const scheduler = createLaneScheduler()
  let waiting = 0
  const schedule = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    scope.refuseInside()
    waiting += 1
    try {
      return await serially(() => scheduler(currentLane(), work, signal))
    } catch (error) {
      throw toUnavailable(error)
    } finally {
      waiting -= 1
    }
  }
  return {
    kind: 'pglite',
    query: async <Row extends object>(text: string, values?: readonly Param[], options: StatementOptions = {}) => {
      const { signal, parse } = options
      return (await schedule(() => runRetrying(client, names, { text, values, parse }), signal)) as Row[]
    },
    script: async <Row extends object>(sql: string) => (await schedule(() => runScript(client, sql))) as Row[],
    transaction: async <T>(work: (tx: Tx) => Promise<T>) => {
      const lane = currentLane()
      const idleMs = lane === 'work' ? idleTransactionMs : laneLimits[lane].idleMs
      const outcome = await open.run(began => {
        const watch = createIdleWatch(idleMs, () => idleFault({ began, log }))
        return schedule(() => runTransaction(client, names, tx => scope.run(() => work(tx)), { log, watch }))
      })
      if (outcome.kind === 'rolled back') throw outcome.error
      return outcome.result
    },
    listen: (channel, onNotify) => listen(client, schedule, channel, onNotify),
    pool: () => ({ size: 1, idle: embedded.isRunning() && waiting === 0 ? 1 : 0 }),
    dump: () => schedule(() => embedded.dump()),
    close: async () => {
      const closing = scheduler('work', () => embedded.close())
      await open.whileClosing(Promise.race([closing, sleep(closeTimeoutMs, undefined, { ref: false })]))
      await embedded.terminate()
    }
  }
}

/** Notifications of the one session arrive with the answer to the commit that sent them: none can be missed. */
async function listen(client: pg.Client, schedule: Serial, channel: string, onNotify: OnNotify): Promise<Listener> {
  const deliver = (notification: pg.Notification) => {
    if (notification.channel === channel) onNotify(notification.payload ?? '')
  }
  client.on('notification', deliver)
  await schedule(() => client.query(`listen ${pg.escapeIdentifier(channel)}`))
  return {
    isCurrent: () => true,
    close: async () => {
      client.off('notification', deliver)
    }
  }
}

async function connect(embedded: Embedded): Promise<pg.Client> {
  const client = new pg.Client({
    stream: () => embedded.stream as never, // pg asks for a socket, and uses what PgliteStream has of one
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    types: parsedTypes
  })
  client.on('error', () => {}) // every waiting statement gets the error
  await client.connect()
  await client.query(sessionSettings)
  return client
}

interface Embedded {
  stream: PgliteStream
  isRunning(): boolean
  dump(): Promise<Uint8Array>
  /** Writes a checkpoint, so that the next start has nothing to replay. */
  close(): Promise<void>
  terminate(): Promise<void>
}

/** A statement still running then is cut off; what was committed is replayed at the next start. */
const closeTimeoutMs = 5_000

/** Deep recursion in SQL must reach PostgreSQL's own limit, an error, before the thread's, after which PGlite hangs. */
const stackSizeMb = 16

/** Compiled, the worker lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)

/** A thread finds compiled code by the variable alone. */
function threadEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder }
}

async function startWorker(start: WorkerStart): Promise<Embedded> {
  const worker = new Worker(workerUrl, {
    workerData: start,
    name: 'pglite',
    execArgv: [], // flags such as --input-type=module are for the main program, and a worker given them does not start
    env: threadEnv(),
    resourceLimits: { stackSizeMb }
  })
  const engine = compiledEngine().then(compiled => worker.postMessage(compiled))
  await Promise.all([nextMessage(worker, 'ready'), engine]).catch(async error => {
    await worker.terminate()
    throw whyNotStarted(start.dataDir, error)
  })
  const send = (message: ToWorker) => worker.postMessage(message, buffersOf(message))
  const stream = new PgliteStream(bytes => send({ kind: 'bytes', bytes }))
  let isRunning = true
  const stop = (cause?: unknown) => {
    isRunning = false
    stream.destroy(new Error('Connection terminated: the embedded database has stopped.', { cause }))
  }
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'bytes') stream.push(message.bytes)
  })
  worker.on('error', stop)
  worker.on('exit', stop)
  return {
    stream,
    isRunning: () => isRunning,
    dump: () => ask(worker, 'dump').then(({ bytes }) => bytes),
    close: async () => {
      if (isRunning) await ask(worker, 'close')
    },
    terminate: async () => void (await worker.terminate())
  }
}

/** PGlite passes on a fault of the file system under WASI's number for it. */
const fileFaults: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS'
}

/** PGlite's own words are of no use: it says only that it did not start. */
function whyNotStarted(dataDir: string, cause: unknown): unknown {
  if (!existsSync(path.dirname(dataDir))) return cause
  const place = `the embedded database in ${dataDir}`
  if (isFull(dataDir))
    return new UnavailableError(`The disk of ${dataDir} is full, and ${place} cannot start`, {
      cause,
      remedy: 'make room, and try again'
    })
  const code = writeFault(existsSync(dataDir) ? dataDir : path.dirname(dataDir))
  if (code !== null)
    return new UnavailableError(`${dataDir} cannot be written (${code}), and ${place} cannot start`, {
      cause,
      remedy: 'check that this user may write there, and that the disk is not read-only'
    })
  const words = causeText(cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause)
  return new UnavailableError(`T${place.slice(1)} does not start, and is probably damaged${words}`, {
    cause,
    remedy: restoreDataRemedy(dataDir)
  })
}

/** What PostgreSQL or Node.js says has a code, and names what is at fault. What the runtime says of its own end has none. */
const causeText = (cause: unknown): string =>
  cause instanceof Error && errorCode(cause) !== undefined ? ` (${cause.message})` : ''

function writeFault(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    return errorCode(error) ?? messageOf(error)
  }
}

/** PGlite does not start without room for a page of its log, and does not say why. */
function isFull(dataDir: string): boolean {
  const home = path.dirname(dataDir)
  if (!existsSync(home)) return false
  const { bavail, bsize } = statfsSync(home)
  return bavail * bsize < 1024 * 1024
}

function whyStopped(cause: unknown): string {
  if (cause instanceof Error) return `${causeText(cause)}. Start the service again.`
  const fault = fileFaults[(cause as { errno?: number } | null)?.errno ?? -1]
  if (fault !== undefined) return ` (${fault}): check that this user may write to its folder.`
  return ` (exit ${typeof cause === 'object' ? JSON.stringify(cause) : cause}). Start the service again.`
}

type Of<Kind> = Extract<FromWorker, { kind: Kind }>

function ask<Kind extends 'dump' | 'close'>(worker: Worker, kind: Kind): Promise<Of<Kind>> {
  worker.postMessage({ kind } satisfies ToWorker)
  return nextMessage(worker, kind)
}

function nextMessage<Kind extends FromWorker['kind']>(worker: Worker, kind: Kind): Promise<Of<Kind>> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      worker.off('message', onMessage).off('error', onStop).off('exit', onStop)
      act()
    }
    const onMessage = (message: FromWorker) => {
      if (message.kind === kind) finish(() => resolve(message as Of<Kind>))
    }
    const onStop = (cause: unknown) => {
      finish(() => reject(new UnavailableError(`The embedded database has stopped${whyStopped(cause)}`, { cause })))
    }
    worker.on('message', onMessage).on('error', onStop).on('exit', onStop)
  })
}
