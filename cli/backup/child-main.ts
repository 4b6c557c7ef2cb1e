import { AppError } from '../../core/contract/errors.ts'
import type { Db } from '../../core/db/db.ts'
import { createKeyringInForce } from '../keys/key-in-force.ts'
import {
  type ChildTask,
  type FileLimits,
  type FromProcess,
  failureOf,
  type Results,
  type ToProcess
} from './child-protocol.ts'
import { listBackups } from './list.ts'
import { readCompressed } from './open-file.ts'
import { readBackup } from './read.ts'

// The program of a process that deals with a file from elsewhere, so that no other has to.

const aliveMs = 1_000
const progressMs = 250
/** Cleaning up may hang as well. */
const stopMs = 4_000

const stopping = new AbortController()
const { signal } = stopping
let taken = () => {}

function stop(): void {
  setTimeout(() => process.exit(1), stopMs).unref()
  stopping.abort()
  taken()
}

function send(message: FromProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The other process may be gone.
  process.send?.(message, undefined, undefined, () => resolve()) ?? resolve()
  return promise
}

const partsOf = (task: { file: string; files: string | null } & FileLimits) =>
  readBackup(readCompressed(task.file, task.maxBytes), { ...task, signal })

async function read(task: Extract<ChildTask, { kind: 'read' }>): Promise<Results['read']> {
  for await (const part of partsOf(task)) {
    const { promise, resolve } = Promise.withResolvers<void>()
    taken = resolve
    await send({ kind: 'part', part })
    await promise
    signal.throwIfAborted()
  }
  return null
}

/** What is damaged is known before a database, and the code for one, is needed. */
async function verify(task: Extract<ChildTask, { kind: 'verify' }>): Promise<Results['verify']> {
  // A keyring that cannot be made is no fault of the backup's.
  createKeyringInForce(task.keys)
  let row_bytes = 0
  try {
    for await (const part of partsOf({ ...task, files: null })) if (part.kind === 'end') row_bytes = part.row_bytes
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT')
      return { scratch: null, loaded: null, faults: [error.message] }
    throw error
  }
  return await prove(task, row_bytes)
}

async function prove(task: Extract<ChildTask, { kind: 'verify' }>, row_bytes: number): Promise<Results['verify']> {
  const [{ proveByRestoring }, { createMigrator }, { createLog }] = await Promise.all([
    import('./verify.ts'),
    import('../migrations/migrator.ts'),
    import('../json-log.ts')
  ])
  let reportedAt = 0
  const options = {
    ...task,
    signal,
    log: createLog('silent'),
    keyring: () => createKeyringInForce(task.keys),
    migratorOn: (db: Db) => createMigrator({ db, sources: task.sources }),
    onProgress: (done: number) => {
      if (Date.now() - reportedAt < progressMs) return
      reportedAt = Date.now()
      void send({ kind: 'progress', done })
    }
  }
  return await proveByRestoring(options, row_bytes)
}

function perform(task: ChildTask): Promise<Results[ChildTask['kind']]> {
  if (task.kind === 'read') return read(task)
  return task.kind === 'verify' ? verify(task) : listBackups(task)
}

async function run(task: ChildTask): Promise<void> {
  try {
    await send({ kind: 'result', result: await perform(task) })
  } catch (error) {
    await send({ kind: 'failure', failure: failureOf(error) })
  }
  process.exit()
}

setInterval(() => void send({ kind: 'alive' }), aliveMs).unref()
process.on('disconnect', stop)
// Ctrl-C reaches every process of the terminal; the one that asked decides.
process.on('SIGINT', () => {})
process.on('message', (message: ToProcess) => {
  if (message.kind === 'task') void run(message.task)
  else if (message.kind === 'next') taken()
  else stop()
})
