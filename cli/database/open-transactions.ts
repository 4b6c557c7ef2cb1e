import { UnavailableError } from '../../core/contract/errors.ts'
import { pluginOf } from '../../core/isolation/plugin-faults.ts'
import type { DbLog } from './session/session.ts'

/** Closing waits for so long before it names what it waits for. */
const nameAfterMs = 500

/** The transactions of a database that have not ended. */
interface OpenTransactions {
  /** `began`: its stack is where the transaction began. */
  run<T>(transaction: (began: Error) => Promise<T>): Promise<T>
  /** Waits for the end of the database, and names in the log the plugins that hold it up. */
  whileClosing(closing: Promise<unknown>): Promise<void>
}

export function createOpenTransactions(log: DbLog | undefined): OpenTransactions {
  const open = new Set<Error>()
  const nameAll = () => {
    for (const began of open) {
      // One of galley's own ends with what it does, or with the process: a stack would say nothing to an operator.
      if (pluginOf(began) === undefined) continue
      log?.warn({ err: began }, `${transactionOf(began)} has not ended: the database waits for it`)
    }
  }
  return {
    async run(transaction) {
      const began = new Error('The transaction began here.')
      open.add(began)
      try {
        return await transaction(began)
      } finally {
        open.delete(began)
      }
    },
    async whileClosing(closing) {
      const naming = setTimeout(nameAll, nameAfterMs)
      await closing.finally(() => clearTimeout(naming))
    }
  }
}

/** Names a transaction in the log that was ended because it stayed open without a statement. @returns its error */
export function idleFault({ began, log }: { began: Error; log: DbLog | undefined }, cause?: Error): UnavailableError {
  const detail = `${transactionOf(began)} stayed open without a statement for too long: the database ended and undid it. Do other work before a transaction, or after it.`
  log?.warn({ err: began }, detail)
  return new UnavailableError('The database ended a transaction that took too long.', { cause, detail })
}

/** A transaction, for the operator, by where it began. */
function transactionOf(began: Error): string {
  const plugin = pluginOf(began)
  return plugin === undefined ? 'A transaction' : `A transaction of the plugin ${plugin}`
}
