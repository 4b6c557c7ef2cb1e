import type { Db } from '../../core/contract/database.ts'
import { errorCode } from '../../core/unknown.ts'

const deadlock = '40P01'

/** Empties tables, and those that refer to them, while jobs read some of them: a server ends one of two that wait for each other. */
export async function truncate(db: Pick<Db, 'script'>, tables: string): Promise<void> {
  try {
    await db.script(`truncate ${tables} cascade`)
  } catch (error) {
    if (errorCode(error) !== deadlock) throw error
    await truncate(db, tables)
  }
}
