import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder } from './temporary-folder.ts'

const embedded = 'durations.json'
/** On a server they are others. */
const own = () => (process.env.TEST_DATABASE_URL ? 'durations-on-server.json' : embedded)

/**
 * Seconds that each test file took when it last ran on this machine, by its path; empty before the first run. What has not run
 * on a server yet counts as on the embedded database, which a whole run comes to first.
 */
export const readDurations = (): ReadonlyMap<string, number> => new Map([...readFrom(embedded), ...readFrom(own())])

function readFrom(name: string): Map<string, number> {
  try {
    return new Map(Object.entries<number>(JSON.parse(readFileSync(path.join(cacheFolder(), name), 'utf8'))))
  } catch {
    return new Map()
  }
}

/** Keeps those of a run; files that it did not run keep theirs. */
export function keepDurations(durations: ReadonlyMap<string, number>): void {
  const file = path.join(cacheFolder(), own())
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(Object.fromEntries([...readFrom(own()), ...durations])))
  renameSync(draft, file)
}
