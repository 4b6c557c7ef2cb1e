import type { Queryable } from '../../core/contract/database.ts'
import { AppError, UnavailableError } from '../../core/contract/errors.ts'
import { errorCode } from '../../core/unknown.ts'

const readOnly = '25006'
const denied = '42501'

const standby = {
  found: 'The database is a standby, which takes no changes.',
  remedy: 'Name the primary server in DATABASE_URL.'
}
const withoutWrites = {
  found: 'The database takes no changes: default_transaction_read_only is on.',
  remedy: 'Set it to off for this database and login, or name the primary server in DATABASE_URL.'
}

/** Why the database takes no changes, and what to do. Undefined where it takes them. */
export async function findWriteFault(db: Queryable): Promise<{ found: string; remedy: string } | undefined> {
  const [row] = await db.query<{ is_standby: boolean; is_read_only: boolean }>(
    `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`
  )
  if (row?.is_standby === true) return standby
  return row?.is_read_only === true ? withoutWrites : undefined
}

/** @throws AppError when the database takes no changes */
export async function requireWritable(db: Queryable): Promise<void> {
  const fault = await findWriteFault(db)
  if (fault !== undefined) throw new AppError('SERVICE_UNAVAILABLE', `${fault.found} ${fault.remedy}`)
}

/** A statement that a standby refused, as after a failover; any other error as it is. */
export function asReadOnly(error: unknown): unknown {
  if (errorCode(error) !== readOnly) return error
  return new UnavailableError('The database takes no changes now. Try again later.', {
    cause: error,
    detail:
      'The database takes no changes: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL.'
  })
}

/** What to do where the login of the database lacks a right; undefined for other errors. */
export const remedyOfDenial = (error: unknown): string | undefined =>
  errorCode(error) === denied
    ? 'Name the login that owns the tables of galley in DATABASE_URL, or grant it all rights there.'
    : undefined
