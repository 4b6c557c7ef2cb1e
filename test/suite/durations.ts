import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder } from './temporary-folder.ts'

/** Those on a server are others. */
const place = () => path.join(cacheFolder(), `durations${process.env.TEST_DATABASE_URL ? '-on-server' : ''}.json`)

/** Seconds that each test file took when it last ran on this machine, by its path; empty before the first run. */
export function readDurations(): ReadonlyMap<string, number> {
  try {
    return new Map(Object.entries<number>(JSON.parse(readFileSync(place(), 'utf8'))))
  } catch {
    return new Map()
  }
}

/** Keeps those of a run; files that it did not run keep theirs. */
export function keepDurations(durations: ReadonlyMap<string, number>): void {
  const draft = `${place()}.${process.pid}`
  writeFileSync(draft, JSON.stringify(Object.fromEntries([...readDurations(), ...durations])))
  renameSync(draft, place())
}
