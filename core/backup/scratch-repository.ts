import type { Queryable } from '../db/db.ts'

/** Makes an empty database. @throws when the login may not. */
export async function createScratchDatabase(db: Queryable, name: string): Promise<void> {
  await db.script(`create database "${name}" template template0`)
}

/** Removes this process's own: the server may not have noticed yet that its connection was closed. */
export async function dropScratchDatabase(db: Queryable, name: string): Promise<void> {
  await db.script(`drop database if exists "${name}" with (force)`)
}

/** Removes scratch databases nobody is connected to: those of processes that were killed. */
export async function dropScratchDatabases(db: Queryable): Promise<void> {
  const left = await db.query<{ name: string }>(
    `select datname as name from pg_database
     where datname ~ '^galley_verify_[0-9a-f]{16}$' and pg_get_userbyid(datdba) = current_user
       and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`
  )
  for (const { name } of left) await db.script(`drop database if exists "${name}"`)
}

export async function makeVectors(db: Queryable): Promise<void> {
  await db.query('create extension if not exists vector')
}
