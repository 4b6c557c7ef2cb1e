import { errorCode, type Queryable } from '#core'

/** Of logins that may not ask, and of servers that cannot answer. */
const unanswered = new Set(['42501', '42883'])

/** Tells a database of a server from all others, also from copies of its rows. Null where nobody answers. */
export async function readDatabaseIdentity(db: Queryable): Promise<string | null> {
  try {
    const [row] = await db.query<{ identity: string }>(
      `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity
       from pg_control_system()`
    )
    return row?.identity ?? null
  } catch (error) {
    if (unanswered.has(String(errorCode(error)))) return null
    throw error
  }
}
