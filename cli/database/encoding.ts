import type { Queryable } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { readEncoding } from './repository.ts'

/** @throws AppError when the database cannot hold every character, before a migration fails on one */
export async function requireUtf8(db: Queryable): Promise<void> {
  const { database, encoding, other_name } = await readEncoding(db)
  if (encoding === 'UTF8') return
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    `The database ${database} has the encoding ${encoding}; galley needs UTF8`,
    // The locale of the cluster may be of another encoding.
    {
      remedy: `create one with "create database ${other_name} encoding 'UTF8' locale 'C.UTF-8' template template0", and name it in the URL`
    }
  )
}
