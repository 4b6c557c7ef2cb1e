import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cacheFolder } from './temporary-folder.ts'

const waiting = new Map<string, Promise<void>>()

/** One process of the machine at a time; test processes start together, and the others wait for the first. */
export function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  // Waiting for the lock stops this process: one that it holds itself would never be given back.
  const next = (waiting.get(name) ?? Promise.resolve()).then(() => withLock(name, work))
  waiting.set(
    name,
    next.catch(() => {})
  )
  return next
}

async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  const lock = new DatabaseSync(path.join(cacheFolder(), `${name}.lock`), { timeout: 300_000 })
  try {
    lock.exec('begin exclusive')
    await work()
  } finally {
    lock.close()
  }
}
