import { openDatabase } from '../../cli/database/open.ts'
import type { Db } from '../../core/contract/database.ts'

/** Uses the database of an installation, which no process of the program has open meanwhile. */
export async function useDatabase<T>(home: string, url: string | undefined, use: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase({ home, ...(url === undefined ? {} : { url }) })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
