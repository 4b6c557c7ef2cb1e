import { ConflictError, type Db, InputError, NotFoundError, type Queryable, recordAudit } from '#core'
import { type PageRequest, toPage } from '#lists'
import type { CostTotal, Estimate, TaskCost } from './index.ts'
import { type Amount, formatAmount, numberOf, parseAmount, toNumber } from './money.ts'
import { lockCall } from './repository/calls.ts'
import {
  type CallFilter,
  findCall,
  insertCorrection,
  type ListedCallRow,
  listCalls,
  listCostParts,
  meanAttempt,
  resolvePaid,
  sumCalls
} from './repository/lists.ts'
import { finish, type ReservationDeps } from './reservations.ts'

/** A call as clients read it. Amounts are rounded to six decimals. */
type ListedCall = Omit<ListedCallRow, 'amount' | 'reserved'> & { amount: number; reserved: number }

export interface PaidCalls {
  /** Which calls: ids may be prefixes. @throws as `resolveId` */
  filterOf(given: CallFilter): Promise<CallFilter>
  list(filter: CallFilter, page: PageRequest): Promise<ReturnType<typeof toPage<ListedCall>> & { amount: number }>
  total(db: Queryable, filter: CallFilter): Promise<CostTotal>
  ofTask(db: Queryable, task_id: string): Promise<TaskCost>
  estimate(db: Queryable, task_id: string | null): Promise<Estimate>
  /** Sets what a call cost; its budgets follow. @throws InputError, NotFoundError, ConflictError */
  correct(id: string, amount: string, by: { actor: string; reason: string }): Promise<ListedCall>
}

/** As many earlier attempts as an estimate is the mean of. */
const maxAttempts = 20
/** No request costs more. */
const maxAmount = parseAmount('1000000')

const listedCall = ({ amount, reserved, ...row }: ListedCallRow): ListedCall => ({
  ...row,
  amount: numberOf(amount),
  reserved: numberOf(reserved)
})

/** What was paid, read and corrected. */
export function createPaidCalls(deps: ReservationDeps & { db: Db }): PaidCalls {
  const { db, settings } = deps
  const currency = () => settings.get('cost_currency')
  const estimate = async (from: Queryable, task_id: string | null): Promise<Estimate> => {
    const own = task_id === null ? null : await meanAttempt(from, task_id, maxAttempts)
    const found = own?.mean ? own : await meanAttempt(from, null, maxAttempts)
    const amount = found.mean === null ? null : numberOf(found.mean)
    return { amount, currency: currency(), based_on: found.attempts }
  }
  const wholeId = async (column: 'task_id' | 'post_id', text: string | null | undefined) =>
    text == null ? text : resolvePaid(db, column, text)
  return {
    estimate,
    async filterOf({ task_id, post_id, ...rest }) {
      return { ...rest, task_id: await wholeId('task_id', task_id), post_id: await wholeId('post_id', post_id) }
    },
    async list(filter, page) {
      const [rows, sum] = await Promise.all([listCalls(db, filter, page), sumCalls(db, filter)])
      const items = rows.map(listedCall)
      const listed = toPage(items, page, sum.calls, ({ at, call_id }) => [at, call_id])
      return { ...listed, amount: numberOf(sum.amount) }
    },
    async total(from, filter) {
      const { calls, amount } = await sumCalls(from, filter)
      return { amount: numberOf(amount), currency: currency(), calls }
    },
    async ofTask(from, task_id) {
      const { calls, amount } = await sumCalls(from, { task_id })
      const attempts = byAttempt(await listCostParts(from, task_id))
      const next_run = await estimate(from, task_id)
      return { amount: numberOf(amount), currency: currency(), calls, attempts, next_run }
    },
    async correct(id, text, by) {
      const call_id = await resolvePaid(db, 'call_id', id)
      await correctCall(deps, call_id, readAmount(text), by)
      const row = await findCall(db, call_id)
      if (row === undefined) throw new NotFoundError(`There is no request ${call_id}.`)
      return listedCall(row)
    }
  }
}

function byAttempt(rows: Awaited<ReturnType<typeof listCostParts>>): TaskCost['attempts'] {
  return [...Map.groupBy(rows, ({ attempt }) => attempt)].map(([attempt, parts]) => ({
    attempt,
    amount: toNumber(parts.reduce((sum, { amount }) => sum + parseAmount(amount), 0n)),
    parts: parts.map(({ part, calls, amount }) => ({ part, calls, amount: numberOf(amount) }))
  }))
}

function readAmount(text: string): Amount {
  const fault = new InputError({ amount: 'must be a decimal from 0 to 1000000, such as 0.25' })
  if (!/^\d{1,7}(\.\d{1,12})?$/.test(text)) throw fault
  const amount = parseAmount(text)
  if (amount > maxAmount) throw fault
  return amount
}

async function correctCall(
  deps: ReservationDeps & { db: Db },
  call_id: string,
  amount: Amount,
  { actor, reason }: { actor: string; reason: string }
): Promise<void> {
  await deps.db.transaction(async tx => {
    const call = await lockCall(tx, call_id)
    if (call === undefined) throw new NotFoundError(`There is no request ${call_id}.`)
    if (call.status === 'reserved')
      throw new ConflictError(`The request ${call_id} is under way: correct it when it has ended.`)
    const from = formatAmount(call.amount)
    const to = formatAmount(amount)
    await insertCorrection(tx, { call_id, actor, from, to, reason })
    await finish(deps, tx, call, { status: call.status, amount, basis: 'correction', usage: null })
    await recordAudit(tx, { event_type: 'costs.corrected', actor, details: { call_id, from, to, reason } })
  })
}
