import type { Queryable } from '#core'
import { readDatabaseClock } from '#plugins/posts'
import type { Clock } from './slot-input.ts'

/** The database's clock with the zone in which times are read. */
export const readSlotClock = async (db: Queryable, timeZone: string): Promise<Clock> => ({
  now: await readDatabaseClock(db),
  timeZone
})
