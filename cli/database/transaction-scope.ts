import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Finds uses of the outer handle inside `transaction()`. On PGlite they would deadlock; on Postgres they would run outside
 * the transaction, unnoticed. Both drivers refuse them.
 */
interface TransactionScope {
  run<T>(work: () => Promise<T>): Promise<T>
  /** @throws TypeError inside a transaction of the same database that has not ended. */
  refuseInside(): void
}

export function createTransactionScope(): TransactionScope {
  const storage = new AsyncLocalStorage<{ open: boolean }>()
  return {
    run: async work => {
      const scope = { open: true }
      try {
        return await storage.run(scope, work)
      } finally {
        scope.open = false
      }
    },
    refuseInside: () => {
      if (storage.getStore()?.open) {
        throw new TypeError(
          'The database was used directly inside a transaction: use the handle the callback is given.'
        )
      }
    }
  }
}
