import { access, type Db, type FastifyPluginAsyncTypebox, Type } from '#core'
import { listRevenue } from '../repository/revenue.ts'

/** Ten years. */
export const maxMonths = 120

const amount = (description: string, example: string) => Type.String({ description, examples: [example] })

const Month = Type.Object(
  {
    month: Type.String({ description: 'By UTC.', examples: ['2026-11'] }),
    currency: Type.String({ examples: ['EUR'] }),
    payments: Type.Integer({ examples: [12] }),
    refunds: Type.Integer({ examples: [1] }),
    gross: amount('Paid, as an exact decimal in units of the currency.', '228.00'),
    refunded: amount('Paid back.', '19.00'),
    net: amount('`gross` less `refunded`.', '209.00'),
    plans: Type.Array(
      Type.Object({
        plan: Type.Union([Type.String(), Type.Null()], {
          description: 'Null for payments without a plan, and for all plans beyond twenty.',
          examples: ['Pro']
        }),
        payments: Type.Integer({ examples: [12] }),
        gross: amount('Paid for it.', '228.00')
      }),
      { description: 'What earned most first.' }
    )
  },
  { title: 'MonthOfRevenue' }
)

const schema = {
  operationId: 'getRevenue',
  tags: ['webhooks'],
  summary: 'What payment webhooks reported, by month and currency, newest first',
  querystring: Type.Object(
    {
      months: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxMonths, default: 12, description: 'The present month included.' })
      )
    },
    { additionalProperties: false }
  ),
  response: {
    200: Type.Object({ months: Type.Integer({ examples: [12] }), items: Type.Array(Month) }, { title: 'Revenue' })
  }
}

/** `GET /api/revenue`. */
export const revenueRoutes =
  ({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncTypebox =>
  async app => {
    app.get('/api/revenue', { config: { access: access.bearer('api:read') }, schema }, async request => {
      const { months = 12 } = request.query
      return { months, items: await listRevenue(db, months, now()) }
    })
  }
