import { AppError } from '../../../core/contract/errors.ts'
import { errorCode } from '../../../core/unknown.ts'

/** `42P05`: a name that this client has not prepared is taken, so that its connection is not its own. */
export const isNameTaken = (error: unknown): boolean => errorCode(error) === '42P05'

/** The same when a statement finds it out, whose own words are those of a fault of ours. */
export const asPooling = (error: unknown): unknown => (isNameTaken(error) ? transactionPooling(error) : error)

export const transactionPooling = (cause?: unknown): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'The database is behind a pooler in transaction mode, such as PgBouncer, where prepared statements and notifications are lost',
    {
      cause,
      remedy: 'set pool_mode=session for this database there, or put the server’s own address into DATABASE_URL'
    }
  )
