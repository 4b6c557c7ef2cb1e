import { type Db, type Enqueue, on, type Subscription } from '#core'
import { BudgetError, BudgetFreed, type Costs } from '#plugins/costs'
import { EmbedPending } from './pending.ts'

export interface BudgetWaitDeps {
  db: Db
  enqueue: Enqueue
  costs: Costs | undefined
}

/** What is not embedded yet waits for room, and is searched by its words meanwhile. */
export async function waitToEmbed({ db, costs }: BudgetWaitDeps, error: unknown): Promise<void> {
  if (costs === undefined || !(error instanceof BudgetError)) throw error
  await db.transaction(tx => costs.wait(tx, { kind: waitingKind, id: 'pending' }, error))
}

const waitingKind = 'embedding'

/** Goes on when there is room. Nothing waits without the plugin `costs`. */
export const embedSubscriptions = ({ db, enqueue, costs }: BudgetWaitDeps): Subscription[] =>
  costs === undefined
    ? []
    : [
        on(BudgetFreed, async ({ kind }) => {
          if (kind === waitingKind) await db.transaction(tx => enqueue(tx, EmbedPending, {}, { key: 'pending' }))
        })
      ]
