/** What the embedded database's worker is started with. */
export interface WorkerStart {
  /** A folder, or `memory://`. */
  dataDir: string
  /** A tar of a data folder made by `dump`; only for an empty `dataDir`. */
  snapshot?: Uint8Array
}

/** To the worker, after the engine it runs: the bytes are PostgreSQL's wire protocol, whole messages. */
export type ToWorker = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'dump' } | { kind: 'close' }

/** From the worker: `bytes` answers one `bytes`, `dump` and `close` theirs. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'dump'; bytes: Uint8Array }
  | { kind: 'close' }
