import type { Queryable, Tx } from '#core'

/** Says that newsletter_key is being made. False when that was just done by somebody else. */
export async function claimKeyMaking(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    `insert into newsletter_state as state (key_made_at) values (now())
     on conflict (id) do update set key_made_at = now()
     where state.key_made_at is null or state.key_made_at < now() - interval '10 seconds'
     returning id`
  )
  return rows.length > 0
}

/** Takes the lease of the only process that sends. False while another holds it. */
export async function takeSendLease(db: Queryable, holder: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `insert into newsletter_state as state (holder, expires_at) values ($1, now() + $2 * interval '1 second')
     on conflict (id) do update set holder = $1, expires_at = now() + $2 * interval '1 second'
     where state.expires_at is null or state.expires_at < now() returning id`,
    [holder, seconds]
  )
  return rows.length > 0
}

/** False when another process has taken it. */
export async function renewSendLease(db: Queryable, holder: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `update newsletter_state set expires_at = now() + $2 * interval '1 second' where holder = $1 returning id`,
    [holder, seconds]
  )
  return rows.length > 0
}

export async function endSendLease(db: Queryable, holder: string): Promise<void> {
  await db.query('update newsletter_state set holder = null, expires_at = null where holder = $1', [holder])
}

/** Which database this is, and how much was ever written to it, as far as it can say. */
export interface DatabasePosition {
  /** Another one after a dump was restored, or in a copy. */
  database_id: string
  /** Grows with every write, and is smaller again after a restore of files; null where the server does not say. */
  position: number | null
}

export async function readPosition(db: Queryable): Promise<DatabasePosition> {
  const [row] = await db.query<DatabasePosition>(
    `select (select system_identifier::text from pg_control_system()) || '/' ||
         (select oid::text from pg_database where datname = current_database()) as database_id,
       case when pg_is_in_recovery() then null
         else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as position`
  )
  return row ?? { database_id: '', position: null }
}

/** Whether newsletters were last sent from the database with this id, and its rows are those of then; null: none was ever sent. */
export async function isKnownDatabase(db: Queryable, database_id: string): Promise<boolean | null> {
  const [row] = await db.query<{ is_known: boolean }>(
    'select database_id = $1 and xmin = written_by as is_known from newsletter_database',
    [database_id]
  )
  return row?.is_known ?? null
}

/** Not within a savepoint, where rows get another number than the transaction's. */
export async function writeKnownDatabase(tx: Tx, database_id: string): Promise<void> {
  await tx.query(
    `insert into newsletter_database (database_id, written_by) values ($1, pg_current_xact_id()::xid)
     on conflict (id) do update set database_id = excluded.database_id, written_by = excluded.written_by`,
    [database_id]
  )
}

/** Notes that the database is a copy, or was restored, from now on. */
export async function writeRestoreTime(tx: Tx): Promise<void> {
  await tx.query(
    'insert into newsletter_state (restored_at) values (now()) on conflict (id) do update set restored_at = now()'
  )
}

/** When it was noticed last that the database is a copy, or was restored; null: never. */
export async function findRestoreTime(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ restored_at: string | null }>('select restored_at from newsletter_state')
  return row?.restored_at == null ? null : new Date(row.restored_at)
}
