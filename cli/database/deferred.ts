import type { Db } from '../../core/db/db.ts'

/**
 * A database that is still being opened, so that everything can be wired to it meanwhile: statements wait for it. Where it
 * cannot be opened, they fail with the reason.
 */
export function deferDb(kind: Db['kind'], opening: Promise<Db>): Db {
  let db: Db | undefined
  opening.then(
    opened => {
      db = opened
    },
    () => {} // whoever asks is told
  )
  const later =
    <Args extends unknown[], T>(call: (db: Db, ...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      db === undefined ? opening.then(opened => call(opened, ...args)) : call(db, ...args)
  return {
    kind,
    query: later((opened, sql, params, options) => opened.query(sql, params, options)) as Db['query'],
    script: later((opened, sql) => opened.script(sql)) as Db['script'],
    transaction: later((opened, work) => opened.transaction(work)) as Db['transaction'],
    listen: later((opened, ...args) => opened.listen(...args)),
    pool: () => db?.pool() ?? { size: 0, idle: 0 },
    close: later(opened => opened.close())
  }
}
