import type { Terminal } from '../../core/contract/command.ts'
import { AppError } from '../../core/contract/errors.ts'
import { errorCode, messageOf } from '../../core/unknown.ts'
import { foundOf } from '../checks/report.ts'
import { remedyOfConnection } from '../database/faults.ts'
import { remedyOfDenial } from '../database/statement-faults.ts'
import { paint } from '../framework/table.ts'

interface CheckItem {
  item: 'home' | 'bootstrap' | 'database' | 'server' | 'migrations' | 'secrets' | 'client'
  status: 'OK' | 'FAIL' | 'SKIP'
  detail: string
  /** What to do about a failure. */
  remedy: string | null
}

export interface CheckReport {
  home: string
  /** True when nothing failed and nothing had to be left out. */
  ready: boolean
  items: CheckItem[]
}

type Item = CheckItem['item']
const order: readonly Item[] = ['home', 'bootstrap', 'database', 'server', 'migrations', 'secrets', 'client']

function detailOf(error: unknown): string {
  if (error instanceof AppError) return foundOf(error)
  return messageOf(error) || (errorCode(error) ?? 'unknown')
}

const remedyOf = (error: unknown): string | undefined =>
  error instanceof AppError ? error.remedy : (remedyOfDenial(error) ?? remedyOfConnection(error))

export type ItemReport = ReturnType<typeof createReport>

/** Notes what was found item by item. */
export function createReport() {
  const items: CheckItem[] = []
  const statusOf = (name: Item) => items.find(({ item }) => item === name)?.status
  const skip = (item: Item, cause: Item) =>
    void items.push({ item, status: 'SKIP', detail: `needs ${cause}`, remedy: null })
  return {
    items,
    /** Notes one item; its value, or undefined when it failed or what it needs did. */
    async check<T>(
      item: Item,
      needs: readonly Item[],
      remedy: string,
      work: () => Promise<{ detail: string; value?: T }>
    ): Promise<T | undefined> {
      const missing = needs.find(name => statusOf(name) !== 'OK')
      if (missing !== undefined) {
        skip(item, missing)
        return undefined
      }
      try {
        const { detail, value } = await work()
        items.push({ item, status: 'OK', detail, remedy: null })
        return value
      } catch (error) {
        items.push({ item, status: 'FAIL', detail: detailOf(error), remedy: remedyOf(error) ?? remedy })
        return undefined
      }
    },
    skipRest(cause: Item) {
      for (const item of order.filter(name => statusOf(name) === undefined)) skip(item, cause)
    }
  }
}

const colours = { OK: 'green', FAIL: 'red', SKIP: 'yellow' } as const

/** A line an item, with the remedy under one that failed. */
export function checkText({ items }: CheckReport, terminal: Terminal): string {
  return items
    .flatMap(({ item, status, detail, remedy }) => [
      `${paint(status.padEnd(4), colours[status], terminal)}  ${item.padEnd(10)}  ${detail}`,
      ...(remedy === null ? [] : [`      ${''.padEnd(10)}  → ${remedy}`])
    ])
    .join('\n')
}
