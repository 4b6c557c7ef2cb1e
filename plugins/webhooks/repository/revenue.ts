import type { Queryable, Tx } from '#core'

/** What was read from a payment event. */
interface RevenueFacts {
  /** Of the delivery. */
  id: string
  kind: 'payment' | 'refund'
  object: string | null
  amount: string
  currency: string
  plan: string | null
  /** ISO 8601. */
  occurred_at: string
  /** It says that no money moved: such an event never counts. */
  is_test: boolean
}

/** Fills in what an event says. One that counts takes the place of every other of its object. */
export async function recordRevenue(tx: Tx, facts: RevenueFacts, isCounted: boolean): Promise<void> {
  await tx.query(
    `with superseded as (
       update revenue_events other set is_counted = false
       from revenue_events this
       where $8 and this.id = $1 and other.source = this.source and other.object = $3 and other.is_counted and other.id <> $1
     )
     update revenue_events set kind = $2, object = $3, amount = $4::numeric, currency = $5, plan = $6, occurred_at = $7,
       is_counted = $8, is_test = $9
     where id = $1`,
    [
      facts.id,
      facts.kind,
      facts.object,
      facts.amount,
      facts.currency,
      facts.plan,
      facts.occurred_at,
      isCounted,
      facts.is_test
    ]
  )
}

/** Sums of a month (UTC) in a currency. Amounts are decimal texts, exact. */
export interface MonthOfRevenue {
  /** `2026-11`. */
  month: string
  currency: string
  payments: number
  refunds: number
  gross: string
  refunded: string
  net: string
  plans: { plan: string | null; payments: number; gross: string }[]
}

/** Plans of a month that are named; the others are one of them, without a name. */
const maxPlans = 20

/** The last `months` months in which something was paid or refunded, newest first. */
export function listRevenue(db: Queryable, months: number, now: Date): Promise<MonthOfRevenue[]> {
  return db.query<MonthOfRevenue>(
    `with counted as (
       select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, currency, kind, plan, amount
       from revenue_events
       where is_counted and occurred_at < date_trunc('month', $1::timestamptz, 'UTC') + interval '1 month'
         and occurred_at >= date_trunc('month', $1::timestamptz, 'UTC') - ($2 - 1) * interval '1 month'
     ), ranked as (
       select month, currency, plan, count(*) as payments, sum(amount) as gross,
         row_number() over (partition by month, currency order by sum(amount) desc, plan) as place
       from counted where kind = 'payment' group by month, currency, plan
     ), named as (
       select month, currency, case when place <= ${maxPlans} then plan end as plan, sum(payments)::int as payments,
         sum(gross) as gross
       from ranked group by month, currency, case when place <= ${maxPlans} then plan end
     ), plans as (
       select month, currency,
         jsonb_agg(jsonb_build_object('plan', plan, 'payments', payments, 'gross', gross::text) order by gross desc, plan)
           as plans
       from named group by month, currency
     )
     select month, currency, count(*) filter (where kind = 'payment') as payments,
       count(*) filter (where kind = 'refund') as refunds,
       coalesce(sum(amount) filter (where kind = 'payment'), 0)::text as gross,
       coalesce(sum(amount) filter (where kind = 'refund'), 0)::text as refunded,
       (coalesce(sum(amount) filter (where kind = 'payment'), 0)
         - coalesce(sum(amount) filter (where kind = 'refund'), 0))::text as net,
       coalesce((select plans from plans where plans.month = counted.month and plans.currency = counted.currency), '[]')
         as plans
     from counted group by month, currency order by month desc, currency`,
    [now, months]
  )
}
