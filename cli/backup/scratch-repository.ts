import type { Queryable, Tx } from '../../core/contract/database.ts'
import { errorCode } from '../../core/unknown.ts'

/** The code of an error that says that the login may not. */
export const insufficientPrivilege = '42501'

/** Makes an empty database. @throws when the login may not. */
export async function createScratchDatabase(db: Queryable, name: string): Promise<void> {
  await db.script(`create database "${name}" template template0`)
}

/** Removes a database and its role: the server may not have noticed yet that its connection was closed. */
export async function dropScratchDatabase(db: Queryable, name: string): Promise<void> {
  await db.script(`drop database if exists "${name}" with (force)`)
  await db.script(`drop role if exists "${name}"`)
}

const isScratchName = `~ '^galley_verify_[0-9a-f]{16}$'`

/**
 * Removes what processes that were killed have left: databases that nobody is connected to, and whose maker is gone, and
 * roles without a database. A maker's session has the database's name.
 */
export async function dropUnusedScratchDatabases(db: Queryable): Promise<void> {
  const left = await db.query<{ name: string }>(
    `select datname as name from pg_database
     where datname ${isScratchName} and pg_has_role(datdba, 'member')
       and not exists (select from pg_stat_activity a where a.datname = pg_database.datname
         or a.application_name = pg_database.datname)
     union
     select rolname from pg_roles
     where rolname ${isScratchName} and pg_has_role(oid, 'member')
       and not exists (select from pg_database where datname = rolname)
       and not exists (select from pg_stat_activity where application_name = rolname)`
  )
  for (const { name } of left) {
    await db.script(`drop database if exists "${name}"`).catch(() => {}) // another may be faster
    await db.script(`drop role if exists "${name}"`).catch(() => {})
  }
}

/** Those the migrations name; who owns a database only may not make them everywhere. */
export async function makeExtensions(db: Queryable): Promise<void> {
  await db.query('create extension if not exists vector')
  await db.query('create extension if not exists pg_trgm').catch(() => {}) // the migrations do without
}

/**
 * Gives the database to a role that has no other right, nor may log in. Returns whether there is one: a login that may not
 * make roles has few rights itself.
 */
export async function createScratchRole(db: Queryable, name: string): Promise<boolean> {
  try {
    await db.script(`create role "${name}" nologin nosuperuser nocreatedb nocreaterole noinherit`)
  } catch (error) {
    if (errorCode(error) === insufficientPrivilege) return false
    throw error
  }
  await db.script(`grant "${name}" to current_user; alter database "${name}" owner to "${name}"`)
  return true
}

/** Until the transaction ends. */
export async function setRole(tx: Tx, name: string): Promise<void> {
  await tx.script(`set local role "${name}"`)
}
