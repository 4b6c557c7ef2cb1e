import { writeFile } from 'node:fs/promises'
import os from 'node:os'

/** Of a process, or on Linux of one thread. What has ended, or may not be changed, stays as it is. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined || !(niceness > 0)) return
  try {
    os.setPriority(pid, niceness)
  } catch {
    // The work is then done at the priority it has.
  }
}

/**
 * The same for a process that was started with a session of its own. Many Linux systems share the processor among sessions
 * first (autogroups): the priority of a process then counts within its session only.
 */
export async function lowerSessionPriority(pid: number | undefined, niceness: number): Promise<void> {
  lowerPriority(pid, niceness)
  if (pid === undefined || process.platform !== 'linux') return
  // Systems without autogroups have no such file.
  await writeFile(`/proc/${pid}/autogroup`, String(niceness)).catch(() => {})
}
