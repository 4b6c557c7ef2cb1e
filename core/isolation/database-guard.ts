import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../contract/database.ts'

/** While plugins are wired nothing may be written: a boot that stops has changed nothing. */
export interface DatabaseGuard {
  /** The database as plugins get it: refuses what is asked from within `run`, until `allowUse`. */
  readonly db: Db
  /** Runs a plugin's `setup` or routes. What they begin and leave running counts as theirs. */
  run<T>(plugin: string, work: () => T): T
  /** The boot is done: plugins may use the database. */
  allowUse(): void
}

export function createDatabaseGuard(db: Db): DatabaseGuard {
  const storage = new AsyncLocalStorage<string>()
  let isAllowed = false
  const refuse = () => {
    const plugin = isAllowed ? undefined : storage.getStore()
    if (plugin === undefined) return
    throw new TypeError(
      `The plugin ${plugin} used the database before the service was up. Its setup and routes only connect the parts: use it in a route, job, command or check`
    )
  }
  return {
    db: guardedBy(refuse, db),
    run: (plugin, work) => storage.run(plugin, work),
    allowUse() {
      isAllowed = true
    }
  }
}

/** The same database; `refuse` is asked before each use of it. */
function guardedBy(refuse: () => void, db: Db): Db {
  const use = () => {
    refuse()
    return db
  }
  return {
    get kind() {
      return db.kind
    },
    query: (...args) => use().query(...args),
    script: sql => use().script(sql),
    transaction: work => use().transaction(work),
    listen: (...args) => use().listen(...args),
    pool: () => db.pool(),
    close: () => use().close()
  }
}
