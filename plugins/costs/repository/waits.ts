import type { Queryable, Tx } from '#core'
import type { RefusedCall } from '../budget-error.ts'
import type { CallKind } from '../calls.ts'
import { formatAmount, parseAmount } from '../money.ts'

/** Work that waits, and for what. */
export interface Wait {
  kind: string
  id: string
  call: RefusedCall
}

/** Work that is refused again keeps its place. */
export async function saveWait(tx: Tx, { kind, id, call }: Wait): Promise<void> {
  await tx.query(
    `insert into cost_waits (kind, id, call_kind, model, size, niche_slug, amount) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (kind, id) do update set call_kind = excluded.call_kind, model = excluded.model, size = excluded.size,
       niche_slug = excluded.niche_slug, amount = excluded.amount`,
    [
      kind,
      id,
      call.kind,
      call.model,
      call.size ?? null,
      call.niche_slug,
      call.amount === null ? null : formatAmount(call.amount)
    ]
  )
}

export async function hasWaits(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>('select exists (select from cost_waits) as waits')
  return row?.waits ?? false
}

interface WaitRow {
  kind: string
  id: string
  call_kind: CallKind
  model: string
  size: string | null
  niche_slug: string
  amount: string | null
}

const oldest = `select kind, id, call_kind, model, size, niche_slug, amount from cost_waits order by since, kind, id limit $1`

/** What has waited longest. */
export const listWaits = async (db: Queryable, limit: number): Promise<Wait[]> =>
  read(await db.query<WaitRow>(oldest, [limit]))

/** The same, locked against another pass. */
export const lockWaits = async (tx: Tx, limit: number): Promise<Wait[]> =>
  read(await tx.query<WaitRow>(`${oldest} for update skip locked`, [limit]))

const read = (rows: readonly WaitRow[]): Wait[] =>
  rows.map(({ kind, id, call_kind, size, amount, ...call }) => ({
    kind,
    id,
    call: {
      ...call,
      kind: call_kind,
      size: size ?? undefined,
      amount: amount === null ? null : parseAmount(amount)
    }
  }))

export async function deleteWaits(tx: Tx, waits: readonly Pick<Wait, 'kind' | 'id'>[]): Promise<void> {
  await tx.query(
    `delete from cost_waits using unnest($1::text[], $2::text[]) as done (kind, id)
     where cost_waits.kind = done.kind and cost_waits.id = done.id`,
    [waits.map(({ kind }) => kind), waits.map(({ id }) => id)]
  )
}
