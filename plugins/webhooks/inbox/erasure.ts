import type { Webhooks } from '../index.ts'
import { removeBodiesWith } from '../repository/deliveries.ts'
import { eraseReports } from '../repository/subscriber-events.ts'

export const eraseAddress: Webhooks['eraseAddress'] = async (tx, email) => {
  await eraseReports(tx, email)
  await removeBodiesWith(tx, email)
}
