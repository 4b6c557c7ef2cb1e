import { readdirSync } from 'node:fs'
import os from 'node:os'

/** What the module of a forked process does first: it ends with its parent, and not by a terminal. */
export function beChild({ niceness = 0 }: { niceness?: number } = {}): void {
  if (niceness > 0) lowerPriority(niceness)
  // A terminal's interrupt goes to all processes of its group: the parent decides what ends this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit(0))
}

/** On Linux a priority is that of a thread, and the threads that collect garbage and compile are there before any code runs. */
function lowerPriority(niceness: number): void {
  for (const thread of threads()) {
    try {
      os.setPriority(thread, niceness)
    } catch {
      // It has ended, or the system forbids it: then the work is done at the priority it has.
    }
  }
}

/** Zero stands for the process itself. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}
