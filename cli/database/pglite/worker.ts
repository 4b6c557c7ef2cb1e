import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import type { EngineModule } from './engine.ts'
import { buffersOf, type FromWorker, joined, type ToWorker, type WorkerStart } from './protocol.ts'

/**
 * Memory: PGlite's default of 128 MB of shared buffers is touched as a whole; this is 100 MB smaller and opens sooner.
 * Log: there is no checkpointer process, so the next checkpoint, and with it what a crash has to replay, is set by size.
 */
const tuning = {
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  wal_level: 'minimal',
  max_wal_senders: '0'
}
const startParams = Object.entries(tuning).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Of 1 MB each: two of the usual 16 MB were most of a new data folder, which is read whole at its first start. */
const initDbStartParams = ['--wal-segsize=1']

const { dataDir, snapshot } = workerData as WorkerStart
// It is compiled while this thread loads its modules.
const engine = await new Promise<EngineModule>(resolve => parentPort?.once('message', resolve))
const database = await PGlite.create({
  dataDir,
  pgliteWasmModule: engine,
  loadDataDir: snapshot === undefined ? undefined : asBlob(snapshot),
  extensions: { vector, pg_trgm },
  initDbStartParams,
  startParams: [...PGlite.defaultStartParams, ...startParams]
})

/** PGlite asks for the bytes and their type only: a true Blob would copy 20 MB twice. */
function asBlob(tar: Uint8Array): Blob {
  const isWhole = tar.byteLength === tar.buffer.byteLength
  return { type: 'application/x-tar', arrayBuffer: async () => (isWhole ? tar : tar.slice()).buffer } as Blob
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message, buffersOf(message))
}

async function execute(bytes: Uint8Array): Promise<FromWorker> {
  const chunks: Uint8Array[] = []
  // The chunk is a view of WebAssembly memory, which the next write overwrites.
  await database.execProtocolRawStream(bytes, { onRawData: chunk => void chunks.push(chunk.slice()) })
  return { kind: 'bytes', bytes: joined(chunks) }
}

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.kind === 'bytes') return execute(message.bytes)
  if (message.kind === 'dump') {
    const dump = await database.dumpDataDir('none')
    return { kind: 'dump', bytes: new Uint8Array(await dump.arrayBuffer()) }
  }
  await database.close()
  return { kind: 'close' }
}

let last: Promise<void> = Promise.resolve()
parentPort?.on('message', (message: ToWorker) => {
  last = last.then(async () => send(await answer(message)))
})
send({ kind: 'ready' })
