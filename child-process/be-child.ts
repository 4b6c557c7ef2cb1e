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

/**
 * For work that goes on for long without a pause, in which the end of the parent is not heard of: it is called now and then. An orphan
 * gets another parent. Where the parent is the first process of a container, the kernel ends its children with it.
 */
export function endIfOrphaned(parentPid: number): void {
  if (process.ppid !== parentPid) process.exit(0)
}

/** Zero stands for the process itself. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}
