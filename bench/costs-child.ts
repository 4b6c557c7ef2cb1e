import { createPostgres } from '../cli/database/postgres/postgres.ts'
import { payIfCounted } from '../plugins/costs/calls.ts'
import { BudgetError } from '../plugins/costs/index.ts'
import { openPayments, prices } from '../test/plugins/costs/harness.ts'

/** Another process of the measurement: makes paid requests until all are made or refused, each of which costs 1. */
const [databaseUrl = '', modelUrl = '', requests = '0', budget = '0'] = process.argv.slice(2)
/** More than the pipeline, voices and covers of a process have under way. */
const atOnce = 10
const db = createPostgres({ url: databaseUrl, max: 4 })
const { pay } = openPayments(db, { model_prices: prices, monthly_budget: Number(budget) })
process.send?.('ready')
process.once('message', async () => {
  let refused = 0
  const began = performance.now()
  const call = { kind: 'chat', model: 'm', worst: { input_tokens: 1 } } as const
  const ask = () =>
    payIfCounted({ pay }, call, async bill => {
      await (await fetch(modelUrl)).text()
      bill.used({ output_tokens: 1_000 })
    }).catch(error => {
      if (!(error instanceof BudgetError)) throw error
      refused += 1
    })
  let left = Number(requests)
  const work = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  process.send?.({ refused, ms: performance.now() - began })
  await db.close()
  process.disconnect()
})
