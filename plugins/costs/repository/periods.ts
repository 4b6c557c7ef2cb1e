import type { Queryable } from '#core'
import { type Amount, formatAmount, parseAmount } from '../money.ts'

/** What counts in a month or a day, for all niches (`''`) or for one. */
export interface PeriodKey {
  period: string
  niche_slug: string
}

export interface PeriodSum extends PeriodKey {
  spent: Amount
  reserved: Amount
}

interface Row extends PeriodKey {
  spent: string
  reserved: string
}

const read = ({ spent, reserved, ...key }: Row): PeriodSum => ({
  ...key,
  spent: parseAmount(spent),
  reserved: parseAmount(reserved)
})

/** In one order, so that no two transactions wait for each other. */
const inOrder = (keys: readonly PeriodKey[]): PeriodKey[] =>
  keys.toSorted((one, other) => compare(one.period, other.period) || compare(one.niche_slug, other.niche_slug))

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Adds to the sums and locks them until the transaction ends. Returns them as they are then: of two that add at the same
 * time, the second one sees what the first one added.
 */
export async function addToPeriods(
  db: Queryable,
  keys: readonly PeriodKey[],
  change: { spent?: Amount; reserved?: Amount }
): Promise<PeriodSum[]> {
  const ordered = inOrder(keys)
  const rows = await db.query<Row>(
    `insert into cost_periods as present (period, niche_slug, spent, reserved)
     select period, niche_slug, $3::numeric, $4::numeric
     from unnest($1::text[], $2::text[]) with ordinality as given (period, niche_slug, place) order by place
     on conflict (period, niche_slug) do update
       set spent = present.spent + excluded.spent, reserved = present.reserved + excluded.reserved
     returning period, niche_slug, spent, reserved`,
    [
      ordered.map(({ period }) => period),
      ordered.map(({ niche_slug }) => niche_slug),
      formatAmount(change.spent ?? 0n),
      formatAmount(change.reserved ?? 0n)
    ]
  )
  return rows.map(read)
}

/** Sums of periods, without those in which nothing was asked for. */
export async function findPeriods(db: Queryable, periods: readonly string[]): Promise<PeriodSum[]> {
  const rows = await db.query<Row>(
    'select period, niche_slug, spent, reserved from cost_periods where period = any($1) order by period, niche_slug',
    [periods]
  )
  return rows.map(read)
}
