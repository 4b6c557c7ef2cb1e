import { writeSync } from 'node:fs'
import { BootError, type BootProblem } from '../contract/boot-error.ts'
import { startSeconds } from './deadline.ts'
import { startWatchdog } from './watchdog.ts'

/** A step in the start of a third party's plugin. */
export interface StartStep {
  plugin: string
  /** As in `importing it`. */
  what: string
  remedy?: string
}

const usualRemedy = 'Repair the plugin, or remove it from plugins.config.json.'
let running: StartStep | undefined

/** Runs the synchronous part of a step. A process that exits meanwhile was ended by the plugin, and says so. */
export function runStep<T>(step: StartStep, work: () => T): T {
  if (!process.listeners('exit').includes(reportExit)) process.on('exit', reportExit)
  const before = running
  running = step
  try {
    return work()
  } finally {
    running = before
  }
}

export const isInStep = (): boolean => running !== undefined

/** Watches the rest of a step: a loop there ends only with the process. Returns what to call at its end. */
export const watchStep = (step: StartStep): (() => void) => startWatchdog(problemMessage(tookTooLong(step)))

/** The same around what is awaited. */
export async function withWatchdog<T>(step: StartStep, work: () => Promise<T>): Promise<T> {
  const end = watchStep(step)
  try {
    return await work()
  } finally {
    end()
  }
}

export const tookTooLong = ({ plugin, what, remedy = usualRemedy }: StartStep): BootProblem => ({
  plugin,
  cause: `${what} did not end within ${startSeconds()} s`,
  remedy
})

function reportExit(): void {
  if (running === undefined) return
  const { plugin, what, remedy = usualRemedy } = running
  process.exitCode = 1
  try {
    writeSync(2, problemMessage({ plugin, cause: `${what} ended the process`, remedy }))
  } catch {
    // Nobody reads it.
  }
}

const problemMessage = (problem: BootProblem): string => `error: ${new BootError([problem]).message}\n`
