import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { setEngineFlags } from '../../cli/database/pglite/engine.ts'
import { cacheFolder } from './temporary-folder.ts'

/**
 * V8 shares the wrappers of imported functions among all threads of a process. One that a thread releases while another gets it is
 * released twice, which ends the process: a group, which opens one database after the other, does without such wrappers.
 */
const withoutWrappers = '--wasm-wrapper-tiering-budget=2000000000'

/**
 * A group runs tens of thousands of statements, where a command runs a few: functions that are busy are worth compiling well. Its
 * databases' answers fill memory outside of the heap: with V8's own first limit one group collected garbage 180 times, not 20.
 */
export function setFlagsOfGroups(): void {
  setEngineFlags(100_000_000)
  setFlagsFromString('--initial-old-space-size=256')
  setFlagsFromString(withoutWrappers)
}

/**
 * Each group is a process that loads much the same modules: half a second less for each. V8 refuses what was compiled under
 * other flags, so they are set first; the variable of Node.js would enable the cache before.
 */
export function enableCompileCacheOfGroups(): void {
  setFlagsOfGroups()
  enableCompileCache(path.join(cacheFolder(), 'compiled'))
}
