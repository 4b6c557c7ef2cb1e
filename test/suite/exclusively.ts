import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cacheFolder } from './temporary-folder.ts'

/** One process of the machine at a time; test processes start together, and the others wait for the first. */
export async function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  const lock = new DatabaseSync(path.join(cacheFolder(), `${name}.lock`), { timeout: 300_000 })
  try {
    lock.exec('begin exclusive')
    await work()
  } finally {
    lock.close()
  }
}
