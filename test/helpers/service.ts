import type { Db } from '../../core/db/db.ts'
import { startServiceOn, type WiredTestService } from '../../testing/service.ts'
import type { ServiceOptions as TestServiceOptions } from '../../testing/test-service.ts'
import { openTestDatabase } from './database.ts'

export type { Answer } from '../../testing/test-service.ts'
export type TestService = WiredTestService

export interface ServiceOptions extends TestServiceOptions {
  /** One that is open already, and stays so: a second process on the same database. */
  db?: Db
}

/** A whole service on a migrated database of its own. */
export async function startService({ db, ...options }: ServiceOptions = {}): Promise<TestService> {
  const used = db === undefined ? await openTestDatabase() : { ...db, close: async () => {} }
  const service = await startServiceOn(used, options)
  return db === undefined ? service : { ...service, db }
}
