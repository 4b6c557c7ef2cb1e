import { table } from '#cli'
import { command, type Db } from '#core'
import { maxMonths } from '../payments/routes.ts'
import { listRevenue } from '../repository/revenue.ts'

export const revenueCommand = ({ db, now }: { db: Db; now(): Date }) =>
  command({
    describe: 'What payment webhooks reported, by month and currency',
    returns: 'Revenue',
    args: {
      months: {
        type: 'integer',
        describe: 'How many, the present one included',
        default: 12,
        minimum: 1,
        maximum: maxMonths
      }
    },
    async run({ args: { months } }) {
      return { months, items: await listRevenue(db, months, now()) }
    },
    text: ({ items }, terminal) => {
      if (items.length === 0) return 'No payments were reported.'
      const headings = ['MONTH', 'CURRENCY', 'PAYMENTS', 'GROSS', 'REFUNDED', 'NET']
      const rows = items.map(item => [
        item.month,
        item.currency,
        String(item.payments),
        item.gross,
        item.refunded,
        item.net
      ])
      return table(headings, rows, terminal)
    }
  })
