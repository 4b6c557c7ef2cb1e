import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../db/db.ts'

/** While plugins are wired nothing may be written: a boot that stops has changed nothing. */
export interface DatabaseGuard {
  /** The database as plugins get it: refuses what is asked from within `run`, until the end. */
  readonly db: Db
  /** Runs a plugin's `setup` or routes. What they begin and leave running counts as theirs. */
  run<T>(plugin: string, work: () => T): T
  /** The boot is done. */
  end(): void
}

export function createDatabaseGuard(db: Db): DatabaseGuard {
  const storage = new AsyncLocalStorage<string>()
  let hasEnded = false
  const refuse = () => {
    const plugin = hasEnded ? undefined : storage.getStore()
    if (plugin === undefined) return
    throw new TypeError(
      `The plugin ${plugin} used the database before the service was up. Its setup and routes only connect the parts: use it in a route, job, command or check`
    )
  }
  const guarded =
    <Args extends unknown[], T>(call: (...args: Args) => T) =>
    (...args: Args): T => {
      refuse()
      return call(...args)
    }
  return {
    db: {
      get kind() {
        return db.kind
      },
      query: guarded((sql, params, options) => db.query(sql, params, options)) as Db['query'],
      script: guarded(sql => db.script(sql)) as Db['script'],
      transaction: guarded(work => db.transaction(work)) as Db['transaction'],
      listen: guarded((channel, onNotify, onGap) => db.listen(channel, onNotify, onGap)),
      pool: () => db.pool(),
      close: guarded(() => db.close())
    },
    run: (plugin, work) => storage.run(plugin, work),
    end() {
      hasEnded = true
    }
  }
}
