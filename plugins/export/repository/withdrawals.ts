import type { Queryable } from '#core'

/** How many posts were withdrawn, and how many of these no file of the export shows any more. */
export interface Withdrawals {
  withdrawals: number
  withdrawals_shown: number
}

export async function readWithdrawals(db: Queryable): Promise<Withdrawals> {
  const [row] = await db.query<Withdrawals>('select withdrawals, withdrawals_shown from export_state')
  return row ?? { withdrawals: 0, withdrawals_shown: 0 }
}

export async function countWithdrawal(db: Queryable): Promise<void> {
  await db.query(
    `insert into export_state (withdrawals) values (1)
     on conflict (id) do update set withdrawals = export_state.withdrawals + 1`
  )
}

/** Called when a run or step has ended that began when so many were counted. */
export async function recordWithdrawalsShown(db: Queryable, shown: number): Promise<void> {
  await db.query('update export_state set withdrawals_shown = $1 where withdrawals_shown < $1', [shown])
}
