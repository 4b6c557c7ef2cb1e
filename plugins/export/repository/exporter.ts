import { type Queryable, UnavailableError } from '#core'

/** Tells a database of a server from others, also from copies of its rows. Null where nobody answers. */
export async function readDatabaseIdentity(db: Queryable): Promise<string | null> {
  try {
    const [row] = await db.query<{ identity: string }>(
      `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity
       from pg_control_system()`
    )
    return row?.identity ?? null
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    // A login that may not ask, or a server that does not answer this.
    return null
  }
}

export async function readExporterId(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ exporter: string | null }>('select exporter from export_state')
  return row?.exporter ?? null
}

export async function writeExporterId(db: Queryable, id: string): Promise<void> {
  await db.query(
    'insert into export_state (exporter) values ($1) on conflict (id) do update set exporter = excluded.exporter',
    [id]
  )
}
