import { readFileSync } from 'node:fs'

const pageBytes = 4096

/** Memory a process has in use; 0 when it has ended, and on systems without `/proc`. */
export function residentMb(pid: number | undefined): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 1_048_576
  } catch {
    return 0
  }
}
