import closeWithGrace from 'close-with-grace'
import type { Log } from '../core/log.ts'

/** Jobs and requests have 8 s; what hangs past this is not coming back, and the process is to be gone after 10 s. */
const graceMs = 9_800

/** From now on a signal or a fatal error closes, and ends the process: 0 after a signal, 1 after an error. */
export function closeOnSignal(close: () => Promise<void>, log: Log): void {
  const logger = { error: (fault: unknown) => log.error({ err: fault }, 'stopping failed') }
  closeWithGrace({ delay: graceMs, logger }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'a fault nobody handled: stopping')
    else log.info({ signal }, 'stopping')
    await close()
  })
}

/** Until the process ends. */
export const forever = (): Promise<never> => new Promise(() => {})
