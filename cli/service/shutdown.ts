import closeWithGrace from 'close-with-grace'
import { faultOfPlugin } from '../../core/isolation/plugin-faults.ts'
import type { Log } from '../../core/log.ts'

/** Jobs and requests have 8 s; what hangs past this is not coming back, and the process is to be gone after 10 s. */
const graceMs = 9_800

/** From now on a signal or a fatal error closes, and ends the process: 0 after a signal, 1 after an error. `uninstall` ends that. */
export function closeOnSignal(close: () => Promise<void>, log: Log): { uninstall(): void } {
  const logger = { error: (fault: unknown) => log.error({ err: fault }, 'stopping failed') }
  const logFault = (err: unknown) => log.fatal({ err }, faultOfPlugin(err) ?? 'a fault nobody handled: stopping')
  return closeWithGrace({ delay: graceMs, logger, onSecondError: logFault }, async reason => {
    const isFault = 'err' in reason
    if (isFault) logFault(reason.err)
    else log.info({ signal: reason.signal }, 'stopping')
    await close()
    // A promise that is rejected without a reason is a fault, too.
    if (isFault && !reason.err) process.exit(1)
  })
}

/**
 * The same from now on for what is starting: a signal meanwhile waits for it, so that it is closed as a whole.
 * @throws what `starting` does
 */
export async function closeStartingOnSignal<T extends { close(): Promise<void> }>(
  starting: Promise<T>,
  log: Log
): Promise<T> {
  let isClosing = false
  const { uninstall } = closeOnSignal(async () => {
    isClosing = true
    const started = await starting
    await started.close()
  }, log)
  try {
    const started = await starting
    return isClosing ? await forever() : started
  } catch (error) {
    uninstall()
    throw error
  }
}

/** Until the process ends. */
export const forever = (): Promise<never> => new Promise(() => {})
