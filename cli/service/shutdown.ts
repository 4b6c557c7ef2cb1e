import closeWithGrace from 'close-with-grace'
import { faultOfPlugin, pluginOf } from '../../core/isolation/plugin-faults.ts'
import { isInStep } from '../../core/isolation/steps.ts'
import type { Log } from '../../core/log.ts'
import { errorWithWholeStack } from '../framework/whole-stack.ts'

/** Jobs and requests have 8 s; what hangs past this is not coming back, and the process is to be gone after 10 s. */
const graceMs = 9_800

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * From now on a signal or a fatal error closes, and ends the process: 0 after a signal, 1 after an error. What does not end is
 * left behind: the log has named it by then.
 */
export function closeOnSignal(close: () => Promise<void>, log: Log): void {
  const logger = { error: (fault: unknown) => log.error({ err: fault }, 'stopping failed') }
  const logFault = (err: unknown) => log.fatal({ err }, faultOfPlugin(err) ?? 'a fault nobody handled: stopping')
  let isFault = false
  const onTimeout = () => {
    log.warn('stopping took too long: what still runs ends with the process, and jobs run again')
    process.exit(isFault ? 1 : 0)
  }
  closeWithGrace({ delay: graceMs, logger, onTimeout, onSecondError: logFault }, async reason => {
    isFault = 'err' in reason
    if ('err' in reason) logFault(reason.err)
    else log.info({ signal: reason.signal }, 'stopping')
    await close()
    // A promise that is rejected without a reason is a fault, too.
    if (isFault && !reason.err) process.exit(1)
  })
}

/**
 * The same for what is starting. A signal meanwhile waits for it, so that it is closed as a whole; an error ends the process as
 * without this.
 * @throws what `starting` does
 */
export async function closeStartingOnSignal<T extends { close(): Promise<void> }>(
  starting: Promise<T>,
  log: Log
): Promise<T> {
  let isStopping = false
  const onExit = (status: number) => reportExit(log, status === 0 && !isStopping)
  process.on('exit', onExit)
  let received: NodeJS.Signals | undefined
  const receive = (signal: NodeJS.Signals) => {
    // As of a person who does not want to wait.
    if (received !== undefined) process.exit(1)
    received = signal
    log.info({ signal }, 'stopping once the start is complete')
    setTimeout(() => process.exit(1), graceMs).unref()
  }
  for (const signal of stopSignals) process.on(signal, receive)
  const started = await starting
    .finally(() => {
      for (const signal of stopSignals) process.off(signal, receive)
    })
    .catch(error => {
      // What does not start is no service that ends.
      process.off('exit', onExit)
      throw error
    })
  const close = () => {
    isStopping = true
    return started.close()
  }
  closeOnSignal(close, log)
  if (received === undefined) return started
  process.kill(process.pid, received)
  return await forever()
}

/**
 * A plugin that calls `process.exit` takes the service with it, and its jobs and requests. A step of the start reports for itself.
 * `isSilent`: it would end as if that had been asked for.
 */
function reportExit(log: Log, isSilent: boolean): void {
  if (isInStep()) return
  // `process.exit` calls this: the stack leads to whoever called it, unless that was a timer or an event.
  const err = errorWithWholeStack('The process was ended here.')
  const plugin = pluginOf(err)
  if (plugin === undefined && !isSilent) return
  process.exitCode = 1
  const who = plugin === undefined ? 'code that is not known' : `the plugin ${plugin}`
  const remedy = plugin === undefined ? 'a plugin' : 'it'
  const name = plugin ?? 'NAME'
  log.fatal(
    { err },
    `${who} ended the process by process.exit; remove or disable ${remedy} with \`galley plugins disable ${name}\``
  )
}

/** Until the process ends. */
export const forever = (): Promise<never> => new Promise(() => {})
