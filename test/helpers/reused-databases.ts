import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Listener } from '../../core/contract/database.ts'
import { UnavailableError } from '../../core/contract/errors.ts'
import { groupEnding } from '../suite/group-ending.ts'
import { emptyDatabase, type NewState, readNewState } from './emptied-database.ts'

/** A migrated database that nobody uses. */
interface Idle {
  /** Opens it again, as its next user. */
  open(): Promise<Db>
  /** Throws it away. */
  drop(): Promise<void>
}

/** Emptying a database takes a sixth of the time of making one. More than these are seldom open at once. */
const maxIdle = 3
/** By then a file that runs by itself has no more tests. A group says so at its end. */
const maxIdleMs = process.argv[1]?.endsWith(groupEnding) ? 60_000 : 1_000
const maxBusyMs = 5_000

const idle: Idle[] = []
let newState: Promise<NewState> | undefined
let timer: NodeJS.Timeout | undefined

process.on('tests are done', dropIdle)

/** A migrated database that an earlier test of this process has closed, made as new; undefined when there is none. */
export async function reopen(): Promise<Db | undefined> {
  for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
    const db = await next.open()
    if (newState !== undefined && (await emptyDatabase(db, await newState).catch(() => false))) return lease(db, next)
    await db.close()
    await next.drop()
  }
  return undefined
}

/** Lends a new database: once it is closed, another test gets it. */
export async function leaseNew(db: Db, again: Idle): Promise<Db> {
  newState ??= readNewState(db).catch(error => {
    newState = undefined
    throw error
  })
  await newState
  return lease(db, again)
}

function lease(db: Db, again: Idle): Db {
  const listeners = new Set<Listener>()
  let isOpen = true
  let busy = 0
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen) throw new UnavailableError('Connection terminated: this database was closed.')
    busy += 1
    try {
      return await work()
    } finally {
      busy -= 1
    }
  }
  return {
    ...db,
    query: (sql, params, options) => use(() => db.query(sql, params, options)),
    script: sql => use(() => db.script(sql)),
    transaction: work => use(() => db.transaction(work)),
    listen: (...given) =>
      use(async () => {
        const listener = await db.listen(...given)
        listeners.add(listener)
        return listener
      }),
    close: async () => {
      if (!isOpen) return
      isOpen = false
      for (let waited = 0; busy > 0 && waited < maxBusyMs; waited += 5) await sleep(5)
      await Promise.all([...listeners].map(each => each.close()))
      if (db.kind === 'postgres') await db.close()
      if (busy > 0 || idle.length >= maxIdle) return await again.drop()
      idle.push(again)
      clearTimeout(timer)
      timer = setTimeout(dropIdle, maxIdleMs)
    }
  }
}

function dropIdle(): void {
  clearTimeout(timer)
  for (const each of idle.splice(0)) void each.drop()
}
