/** What the embedded database's worker is started with. */
export interface WorkerStart {
  /** A folder, or `memory://`. */
  dataDir: string
  /** A tar of a data folder made by `dump`; only for an empty `dataDir`. */
  snapshot?: Uint8Array
}

/** The whole of their buffer: see `joined`. */
export type OwnBytes = Uint8Array<ArrayBuffer>

/** To the worker, after the engine it runs: the bytes are PostgreSQL's wire protocol, whole messages. */
export type ToWorker = { kind: 'bytes'; bytes: OwnBytes } | { kind: 'dump' } | { kind: 'close' }

/** From the worker: `bytes` answers one `bytes`, `dump` and `close` theirs. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: OwnBytes }
  | { kind: 'dump'; bytes: OwnBytes }
  | { kind: 'close' }

/**
 * Chunks as one, in a buffer of its own. A small Buffer is a view of a pool of 64 kB shared with others: it cannot be moved to
 * another thread, and to copy it there copies the whole pool.
 */
export function joined(chunks: readonly Uint8Array[]): OwnBytes {
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

/** What is moved with a message, not copied. */
export const buffersOf = (message: ToWorker | FromWorker): ArrayBuffer[] =>
  'bytes' in message ? [message.bytes.buffer] : []
