import type { Db } from '../../../core/contract/database.ts'
import { createPayments } from '../../../plugins/costs/payments.ts'
import type { ReservationDeps } from '../../../plugins/costs/reservations.ts'
import { costSettings } from '../../../plugins/costs/settings.ts'

type Values = { [K in keyof typeof costSettings]: (typeof costSettings)[K]['default'] }

/** Paid requests on a database, with these settings, at noon of 23 November 2026. Wakes are noted, and not run. */
export function openPayments(db: Db, given: object = {}) {
  const values: Values = {
    ...(Object.fromEntries(Object.entries(costSettings).map(([key, { default: value }]) => [key, value])) as Values),
    ...given
  }
  const wakes: string[] = []
  const deps: ReservationDeps & { db: Db; log: { warn(): void } } = {
    db,
    enqueue: async (_tx, _type, _data, options) => void wakes.push(options?.key ?? ''),
    settings: { get: key => values[key] as never },
    timeZone: () => 'UTC',
    now: () => new Date('2026-11-23T12:00:00Z'),
    log: { warn() {} }
  }
  return { ...createPayments(deps), deps, values, wakes }
}

/** A chat request whose worst case costs 1 by `prices`: nothing for its input, and 1,000 tokens. */
export const call = { kind: 'chat', model: 'm', worst: { input_tokens: 1 } } as const
export const prices = {
  m: { per_million_input_tokens: 0, per_million_output_tokens: 1_000, max_output_tokens: 1_000 }
}

/** What counts, by period and niche: `[spent, reserved]`. */
export async function sums(db: Db): Promise<Record<string, [number, number]>> {
  const rows = await db.query<{ key: string; spent: string; reserved: string }>(
    `select concat_ws(' ', period, nullif(niche_slug, '')) as key, spent, reserved from cost_periods order by 1`
  )
  return Object.fromEntries(rows.map(({ key, spent, reserved }) => [key, [Number(spent), Number(reserved)]]))
}
