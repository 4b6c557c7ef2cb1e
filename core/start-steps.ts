import { writeSync } from 'node:fs'
import { BootError, type BootProblem } from './order.ts'
import { startSeconds } from './start-deadline.ts'
import { watchFor } from './start-watchdog.ts'

/** A step in the start of another's plugin. */
export interface Step {
  plugin: string
  /** As in `importing it`. */
  what: string
  remedy?: string
  /** Whether it may loop where the engine cannot end it. */
  isWatched?: boolean
}

const running: Step[] = []
let isListening = false
const usualRemedy = 'Repair the plugin, or remove it from plugins.config.json.'

/** A step begins: what it does to the process is told under the plugin's name. Answers what to call at its end. */
export function beginStep(step: Step): () => void {
  if (!isListening) process.on('exit', tellOfExit)
  isListening = true
  running.push(step)
  const endWatch = step.isWatched ? watchFor(lastWords(tookTooLong(step))) : undefined
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    running.splice(running.indexOf(step), 1)
    endWatch?.()
  }
}

/** The same around work that is awaited. */
export async function inStep<T>(step: Step, work: () => Promise<T>): Promise<T> {
  const end = beginStep(step)
  try {
    return await work()
  } finally {
    end()
  }
}

export const tookTooLong = ({ plugin, what, remedy = usualRemedy }: Step): BootProblem => ({
  plugin,
  cause: `${what} did not end within ${startSeconds()} s`,
  remedy
})

function tellOfExit(status: number): void {
  const step = running.at(-1)
  // A signal is nobody's fault.
  if (step === undefined || status > 128) return
  const { plugin, what, remedy = usualRemedy } = step
  writeSync(2, lastWords({ plugin, cause: `${what} ended the process`, remedy }))
  process.exitCode = 1
}

const lastWords = (problem: BootProblem): string => `error: ${new BootError([problem]).message}\n`
