import type { Queryable } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { readPrivileges } from './repository.ts'

/**
 * Refuses a login that may not make what the service needs: tables in `public`, the schema of the queue, the vectors.
 * @throws AppError SERVICE_UNAVAILABLE naming the login, what it may not do and the statement that lets it.
 */
export async function checkPrivileges(db: Queryable): Promise<void> {
  const { role, database, tables, schemas, vectors } = await readPrivileges(db)
  if (!tables || !schemas) {
    const [what, grant] = tables
      ? ['make schemas, and the queue has one of its own, in', `grant create on database ${database} to ${role}`]
      : ['make tables in the schema public of', `grant create, usage on schema public to ${role}`]
    throw refused(
      `The login ${role} may not ${what} the database ${database}. As a superuser, run "alter database ${database} owner to ${role}", or "${grant}" there.`
    )
  }
  if (!vectors) {
    throw refused(
      `The login ${role} may not add pgvector to the database ${database}. As a superuser, run "create extension vector" there.`
    )
  }
}

const refused = (message: string): AppError => new AppError('SERVICE_UNAVAILABLE', message)
