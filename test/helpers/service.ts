import type { Db } from '../../core/contract/database.ts'
import type { Log } from '../../core/log.ts'
import { startServiceOn, type WiredTestService } from '../../testing/service.ts'
import type { ServiceOptions as TestServiceOptions } from '../../testing/test-service.ts'
import { openTestDatabase } from './database.ts'
import { assertDescribed } from './described.ts'

export type { Answer } from '../../testing/test-service.ts'
export type TestService = WiredTestService

export interface ServiceOptions extends TestServiceOptions {
  /** One that is open already, and stays so: a second process on the same database. */
  db?: Db
  /** Names of galley's own plugins that are turned off. */
  leftOut?: readonly string[]
  /** Of another service, which removes it. */
  home?: string
  log?: Log
}

/** A whole service on a migrated database of its own. */
export async function startService({ db, ...options }: ServiceOptions = {}): Promise<TestService> {
  const used = db === undefined ? await openTestDatabase() : { ...db, close: async () => {} }
  const started = await startServiceOn(used, {
    ...options,
    settings: { ...searchSettings(options), ...options.settings }
  })
  const service = { ...started, anonymous: described(started.anonymous), bearer: described(started.bearer) }
  return db === undefined ? service : { ...service, db }
}

/** What a search finds must not depend on how fast the machine is. */
const searchSettings = ({ leftOut = [] }: ServiceOptions): Record<string, string> =>
  leftOut.includes('search') ? {} : { search_time_limit_ms: '10000' }

/** Every answer of every test is one that the API document tells of. */
function described(send: TestService['anonymous']): TestService['anonymous'] {
  return async (method, target, body, headers) => {
    const answer = await send(method, target, body, headers)
    assertDescribed({ method, target, ...answer })
    return answer
  }
}
