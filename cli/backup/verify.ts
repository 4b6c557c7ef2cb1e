import { AppError } from '../../core/contract/errors.ts'
import { refuseFullDisk } from './disk-space.ts'
import { loadBackup } from './load.ts'
import type { Loaded, LoadTarget } from './load-target.ts'
import { readCompressed } from './open-file.ts'
import { readBackup } from './read.ts'
import { openScratch } from './scratch.ts'

export interface VerifyOptions extends Omit<LoadTarget, 'tx' | 'kind'> {
  /** The installation's server; undefined when its database is embedded. */
  databaseUrl: string | undefined
  home: string
  file: string
  maxRowBytes: number
  maxBytes?: number | undefined
}

/** What a verification found. */
export interface Verification {
  /** Where the backup was restored to verify it; null when it is damaged, and was not. */
  scratch: 'server' | 'embedded' | null
  /** Null when not even the header could be read. */
  loaded: Loaded | null
  faults: string[]
}

/**
 * Restores a backup into a database made for it, compares all of it, and throws the database away. `row_bytes`: of all its
 * rows, as reading it to the end has found.
 */
export async function verifyByRestoring(options: VerifyOptions, row_bytes: number): Promise<Verification> {
  const scratch = await openScratch(options)
  const { db, kind, dispose } = scratch
  try {
    if (kind === 'embedded') await refuseFullDisk(options.home, row_bytes * diskPerByte)
    const loaded = await db.transaction(async tx => {
      await scratch.restrict(tx)
      const parts = readBackup(readCompressed(options.file, options.maxBytes), { ...options, files: null })
      return loadBackup(parts, { ...options, tx, kind: db.kind })
    })
    return { scratch: kind, loaded, faults: loaded.faults }
  } catch (error) {
    return { scratch: kind, loaded: null, faults: [faultOf(error)] }
  } finally {
    await dispose()
  }
}

/** A backup that is not good is an answer; that it could not be looked at is a failure. */
function faultOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'CONFLICT') return error.message
  throw error
}

/** A database takes more room than the texts of its rows: there are indexes, and its log. */
const diskPerByte = 3
