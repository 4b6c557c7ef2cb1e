import { readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second wherever Node runs on Linux. */
const tickMs = 10

/** Processor time of a process in milliseconds; undefined when it has ended, and on systems without `/proc`. */
export function processorTime(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name, which may hold anything; user and system time are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    return undefined
  }
}
