import { Script } from 'node:vm'

/** A plugin may take this long for each step of its start; `GALLEY_PLUGIN_START_SECONDS` in the environment says otherwise. */
const defaultSeconds = 10

export const startSeconds = (): number => Number(process.env.GALLEY_PLUGIN_START_SECONDS) || defaultSeconds

/** A step of a plugin's start took too long. */
export class OutOfTime extends Error {
  constructor() {
    super(`it did not end within ${startSeconds()} s`)
  }
}

/** Waits for a step of a plugin's start; `factor` multiplies the limit. @throws OutOfTime when it does not end; it may go on behind. */
export async function inTime<T>(work: Promise<T>, factor = 1): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new OutOfTime()), startSeconds() * 1_000 * factor)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

const slot = Symbol.for('galley.start')
const script = new Script(`globalThis[Symbol.for('${slot.description}')]()`)

/**
 * Runs a synchronous step. No timer fires while it loops: only the engine can end it, and does so for a script.
 * @throws OutOfTime when it does not come back.
 */
export function runInTime<T>(work: () => T): T {
  const holder = globalThis as { [slot]?: (() => T) | undefined }
  holder[slot] = work
  try {
    return script.runInThisContext({ timeout: startSeconds() * 1_000 }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new OutOfTime()
    throw error
  } finally {
    holder[slot] = undefined
  }
}
