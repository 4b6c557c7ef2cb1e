import { readdirSync } from 'node:fs'
import { lowerPriority } from './priority.ts'

/** The variable with which a child gets its priority. */
export const nicenessVariable = 'GALLEY_CHILD_NICENESS'

/** What the module of a forked process does first: it ends with its parent, and not by a terminal. */
export function beChild(): void {
  // On Linux a priority is that of a thread: those that collect garbage and compile may have begun before the parent lowered the first.
  for (const thread of threads()) lowerPriority(thread, Number(process.env[nicenessVariable]))
  // A terminal's interrupt goes to all processes of its group: the parent decides what ends this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit(0))
}

/** Zero stands for the process itself. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}
