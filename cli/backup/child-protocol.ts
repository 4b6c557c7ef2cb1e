import type { ErrorCode } from '../../core/contract/error-codes.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { KeyConfig } from '../../core/keyring.ts'
import { asError } from '../../core/unknown.ts'
import type { ListedBackup } from './list.ts'
import type { Part } from './read.ts'
import type { Verification } from './verify.ts'

/** How much of a file is taken. */
export interface FileLimits {
  /** Longest row, in bytes. */
  maxRowBytes: number
  /** What it may unpack to, in bytes; undefined: as `readCompressed` has it. */
  maxBytes?: number | undefined
}

/** What the child process is asked to do. Everything in it can be cloned. */
export type BackupRequest =
  | ({ kind: 'read'; file: string; files: string | null } & FileLimits)
  | ({
      kind: 'verify'
      file: string
      home: string
      /** The installation's server; undefined when its database is embedded. */
      databaseUrl: string | undefined
      keys: KeyConfig
      /** Folders of migrations, in the order they run. */
      sources: { namespace: string; folder: string }[]
    } & FileLimits)
  | { kind: 'list'; folder: string; limit: number; offset: number }

/** The result of each kind of request. */
export interface Results {
  read: null
  verify: Verification
  list: { items: ListedBackup[]; total: number }
}

/** `next`: the part sent last was taken. */
export type ToProcess = { kind: 'request'; request: BackupRequest } | { kind: 'next' } | { kind: 'stop' }

export type FromProcess<Kind extends BackupRequest['kind'] = BackupRequest['kind']> =
  /** Waits for `next`: no more than one is on its way. */
  | { kind: 'part'; part: Part }
  | { kind: 'progress'; done: number }
  /** Sent every second, so that a process that hangs is noticed. */
  | { kind: 'alive' }
  | { kind: 'result'; result: Results[Kind] }
  | { kind: 'failure'; failure: Failure }

/** An error on its way between processes. */
export interface Failure {
  appCode: ErrorCode | undefined
  message: string
  code: string | undefined
  syscall: string | undefined
}

export function failureOf(error: unknown): Failure {
  const { message, code, syscall }: NodeJS.ErrnoException = asError(error)
  return { appCode: error instanceof AppError ? error.code : undefined, message, code, syscall }
}

export function errorOf({ appCode, message, code, syscall }: Failure): Error {
  if (appCode !== undefined) return new AppError(appCode, message)
  return Object.assign(new Error(message), code === undefined ? {} : { code }, syscall === undefined ? {} : { syscall })
}
