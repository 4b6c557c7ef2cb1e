import type { Db } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { createCurrentKeyring } from '../keys/current-key.ts'
import {
  type BackupRequest,
  type FileLimits,
  type FromProcess,
  failureOf,
  type Results,
  type ToProcess
} from './child-protocol.ts'
import { listBackups } from './list.ts'
import { readCompressed } from './open-file.ts'
import { readBackup } from './read.ts'

// The program of a process that reads a backup from elsewhere, so that no other process has to.

const aliveEveryMs = 1_000
const progressEveryMs = 250
/** Cleaning up may hang as well. */
const stopTimeoutMs = 4_000

const stopping = new AbortController()
const { signal } = stopping
let taken = () => {}

function stop(): void {
  setTimeout(() => process.exit(1), stopTimeoutMs).unref()
  stopping.abort()
  taken()
}

function send(message: FromProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The other process may be gone.
  process.send?.(message, undefined, undefined, () => resolve()) ?? resolve()
  return promise
}

const partsOf = (request: { file: string; files: string | null } & FileLimits) =>
  readBackup(readCompressed(request.file, request.maxBytes), { ...request, signal })

async function read(request: Extract<BackupRequest, { kind: 'read' }>): Promise<Results['read']> {
  for await (const part of partsOf(request)) {
    const { promise, resolve } = Promise.withResolvers<void>()
    taken = resolve
    await send({ kind: 'part', part })
    await promise
    signal.throwIfAborted()
  }
  return null
}

/** What is damaged is known before a database, and the code for one, is needed. */
async function verify(request: Extract<BackupRequest, { kind: 'verify' }>): Promise<Results['verify']> {
  // A keyring that cannot be made is no fault of the backup's.
  createCurrentKeyring(request.keys)
  let row_bytes = 0
  try {
    for await (const part of partsOf({ ...request, files: null })) if (part.kind === 'end') row_bytes = part.row_bytes
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT')
      return { scratch: null, loaded: null, faults: [error.message] }
    throw error
  }
  return await verifyRestoring(request, row_bytes)
}

async function verifyRestoring(
  request: Extract<BackupRequest, { kind: 'verify' }>,
  row_bytes: number
): Promise<Results['verify']> {
  const [{ verifyByRestoring }, { createMigrator }, { createLog }] = await Promise.all([
    import('./verify.ts'),
    import('../migrations/migrator.ts'),
    import('../log/json-log.ts')
  ])
  let reportedAt = 0
  const options = {
    ...request,
    signal,
    log: createLog('silent'),
    keyring: () => createCurrentKeyring(request.keys),
    migratorOn: (db: Db) => createMigrator({ db, sources: request.sources }),
    onProgress: (done: number) => {
      if (Date.now() - reportedAt < progressEveryMs) return
      reportedAt = Date.now()
      void send({ kind: 'progress', done })
    }
  }
  return await verifyByRestoring(options, row_bytes)
}

function perform(request: BackupRequest): Promise<Results[BackupRequest['kind']]> {
  if (request.kind === 'read') return read(request)
  return request.kind === 'verify' ? verify(request) : listBackups(request)
}

async function run(request: BackupRequest): Promise<void> {
  try {
    await send({ kind: 'result', result: await perform(request) })
  } catch (error) {
    await send({ kind: 'failure', failure: failureOf(error) })
  }
  process.exit()
}

setInterval(() => void send({ kind: 'alive' }), aliveEveryMs).unref()
process.on('disconnect', stop)
// Ctrl-C reaches every process of the terminal; the one that asked decides.
process.on('SIGINT', () => {})
process.on('message', (message: ToProcess) => {
  if (message.kind === 'request') void run(message.request)
  else if (message.kind === 'next') taken()
  else stop()
})
