import type { SettingsStore } from '#core'
import { callKinds } from './calls.ts'
import { isAnyPrice, neededPrices, type Price } from './prices.ts'

/**
 * Refuses prices of no request and budgets of nothing, when they are set. The schemas take them: a stored value with one of them
 * would not be valid, and all other prices and budgets in it would not count.
 */
export function refuseUselessEntries(store: Pick<SettingsStore, 'check'>): void {
  const needed = callKinds.map(neededPrices).join(', or ')
  store.check('model_prices', text => {
    const prices: Readonly<Record<string, Price>> = JSON.parse(text)
    return faultOfEntry(prices, isAnyPrice, `prices no request: give ${needed}`)
  })
  store.check('niche_budgets', text => {
    const budgets: Readonly<Record<string, object>> = JSON.parse(text)
    return faultOfEntry(budgets, isBudget, 'is no budget: give monthly, daily or both')
  })
}

const isBudget = (budget: object): boolean => Object.keys(budget).length > 0

function faultOfEntry<T>(
  entries: Readonly<Record<string, T>>,
  isUseful: (entry: T) => boolean,
  fault: string
): string | null {
  const found = Object.entries(entries).find(([, entry]) => !isUseful(entry))
  return found === undefined ? null : `item ${found[0]} ${fault}`
}
