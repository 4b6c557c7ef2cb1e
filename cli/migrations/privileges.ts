import { AppError } from '../../core/contract/errors.ts'
import type { Queryable } from '../../core/db/db.ts'

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

interface Privileges {
  /** As SQL writes them. */
  role: string
  database: string
  tables: boolean
  schemas: boolean
  vectors: boolean
}

async function readPrivileges(db: Queryable): Promise<Privileges> {
  const [privileges] = await db.query<Privileges>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
            has_schema_privilege('public', 'create') and has_schema_privilege('public', 'usage') as tables,
            may_create or to_regnamespace('jobs') is not null as schemas,
            exists (select from pg_extension where extname = 'vector')
              or (select rolsuper from pg_roles where rolname = current_user)
              or may_create and exists (select from pg_available_extension_versions where name = 'vector' and trusted) as vectors
     from has_database_privilege(current_database(), 'create') may_create`
  )
  if (privileges === undefined) throw new TypeError('A select from a function answered no row.')
  return privileges
}

const refused = (message: string): AppError => new AppError('SERVICE_UNAVAILABLE', message)
