import type { Db } from '../../core/contract/database.ts'

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
    () => {} // whoever asks gets the reason
  )
  const later = <T>(call: (db: Db) => Promise<T>): Promise<T> => (db === undefined ? opening.then(call) : call(db))
  return {
    kind,
    query: (sql, params, options) => later(opened => opened.query(sql, params, options)),
    script: sql => later(opened => opened.script(sql)),
    transaction: work => later(opened => opened.transaction(work)),
    listen: (channel, onNotify, onGap) => later(opened => opened.listen(channel, onNotify, onGap)),
    pool: () => db?.pool() ?? { size: 0, idle: 0 },
    close: () => later(opened => opened.close())
  }
}
