import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db as BossDatabase, PgBoss } from 'pg-boss'
import type { Db, Param, Tx } from '../contract/database.ts'
import type { Log } from '../log.ts'

/** The database schema pg-boss keeps its tables in. */
const schema = 'jobs'

export interface Boss {
  /** pg-boss, not started. It is loaded on first use: a command that queues nothing starts 60 ms sooner. */
  get(): Promise<PgBoss>
  /** Runs every statement that pg-boss issues during `work` in the caller's transaction. */
  inTransaction<T>(tx: Tx, work: (boss: PgBoss) => Promise<T>): Promise<T>
}

/**
 * pg-boss over our own database interface. Its own supervision is off: a pass costs eight statements, and to notice
 * a dead process in time it would have to run every second or two. `watch.ts` asks for it when there is a reason.
 */
export function createBoss(db: Db, log: Log, hasSchedules: () => boolean): Boss {
  const { database, within } = createBossDatabase(db)
  let loaded: Promise<PgBoss> | undefined
  const load = async () => {
    const { PgBoss: Library } = await import('pg-boss')
    const boss = new Library({
      db: database,
      schema,
      backend: db.kind,
      supervise: false,
      schedule: hasSchedules(),
      // The least that pg-boss allows: it is what keeps supervise() from skipping a queue it has just looked at.
      monitorIntervalSeconds: 1,
      maintenanceIntervalSeconds: 60 * 60
    })
    boss.on('error', error => log.error({ err: error }, 'the job queue reported an error'))
    boss.on('warning', ({ message, data }) => log.warn({ data }, message))
    return boss
  }
  const get = () => {
    loaded ??= load()
    return loaded
  }
  return {
    get,
    inTransaction: async (tx, work) => {
      const boss = await get()
      return within(tx, () => work(boss))
    }
  }
}

function createBossDatabase(db: Db) {
  const caller = new AsyncLocalStorage<Tx>()
  const database: BossDatabase = {
    executeSql: async (text, values = []) => ({ rows: await run(db, caller.getStore(), text, values) })
  }
  return { database, within: <T>(tx: Tx, work: () => Promise<T>) => caller.run(tx, work) }
}

/** pg-boss writes its own transactions as one script. As a transaction of ours an error in it cannot poison a pooled connection. */
const block = /^\s*begin;([\s\S]*)commit;\s*$/i

async function run(db: Db, tx: Tx | undefined, text: string, values: readonly unknown[]): Promise<object[]> {
  const script = block.exec(text)?.[1]
  if (script === undefined) return (tx ?? db).query(text, values.map(toParam))
  return tx === undefined ? db.transaction(own => own.script(script)) : tx.script(script)
}

function toParam(value: unknown): Param {
  const isPlain = typeof value === 'object' && value !== null
  if (!isPlain || value instanceof Date || Array.isArray(value)) return value as Param
  return JSON.stringify(value)
}
