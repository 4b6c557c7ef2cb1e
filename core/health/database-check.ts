import type { Db } from '../db/db.ts'
import { ping } from './repository.ts'

const patienceMs = 2_000

/** Tells whether the database answers within two seconds. Callers at the same moment share one question. */
export function createDatabaseCheck(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  return () => {
    asking ??= answersInTime(db).finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function answersInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, patienceMs, false)
  })
  const answer = ping(db).then(
    () => true,
    () => false
  )
  const isUp = await Promise.race([answer, patience])
  clearTimeout(timer)
  return isUp
}
