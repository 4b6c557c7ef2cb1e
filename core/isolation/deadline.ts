import { Script } from 'node:vm'
import { withTimeout } from '../timeout.ts'
import { errorCode } from '../unknown.ts'

/** A plugin may take this long for each step of its start. It is one for the process: plugins are loaded before anything is wired. */
let limitSeconds = 10

export const startSeconds = (): number => limitSeconds

export function setStartSeconds(seconds: number): void {
  limitSeconds = seconds
}

/** A step of a plugin's start took too long. */
export class StartTimeoutError extends Error {
  constructor() {
    super(`it did not end within ${startSeconds()} s`)
  }
}

/** Waits for a step of a plugin's start; `factor` multiplies the limit. @throws StartTimeoutError when it does not end; it may go on behind. */
export const withDeadline = <T>(work: Promise<T>, factor = 1): Promise<T> =>
  withTimeout(startSeconds() * 1_000 * factor, work, (): never => {
    throw new StartTimeoutError()
  })

/** A script reaches what it runs by a global name only. */
const globalName = 'galleyStartStep'
const script = new Script(`globalThis.${globalName}()`)

/**
 * Runs a synchronous step. No timer fires while it loops: only the engine can end it, and does so for a script.
 * @throws StartTimeoutError when it does not come back.
 */
export function runSyncWithDeadline<T>(work: () => T): T {
  Object.assign(globalThis, { [globalName]: work })
  try {
    return script.runInThisContext({ timeout: startSeconds() * 1_000 })
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new StartTimeoutError()
    throw error
  } finally {
    Reflect.deleteProperty(globalThis, globalName)
  }
}
