import { setting, Type } from '#core'
import { PriceSchema } from './prices.ts'

const Budget = (describe: string) => Type.Number({ minimum: 0, maximum: 1_000_000_000, description: describe })

export const costSettings = {
  monthly_budget: setting(Budget('0: none'), {
    default: 0,
    describe: 'Most that models, voices and image models may cost in a month of operator_timezone; 0: no such budget.'
  }),
  daily_budget: setting(Budget('0: none'), {
    default: 0,
    describe: 'Most they may cost in a day of operator_timezone; 0: no such budget.'
  }),
  niche_budgets: setting(
    Type.Record(
      Type.String({ minLength: 1, maxLength: 200 }),
      Type.Object(
        { monthly: Type.Optional(Budget('By month.')), daily: Type.Optional(Budget('By day.')) },
        { additionalProperties: false }
      ),
      { maxProperties: 1_000 }
    ),
    {
      default: {},
      describe: 'Budgets of niches, beside those of all: {"nature": {"monthly": 20, "daily": 2}}.'
    }
  ),
  model_prices: setting(
    Type.Record(Type.String({ minLength: 1, maxLength: 300 }), PriceSchema, { maxProperties: 500 }),
    {
      default: {},
      describe:
        'Prices by model: {"gpt-5-mini": {"per_million_input_tokens": 0.25, "per_million_output_tokens": 2}}. Others: per_million_characters, per_second, per_image. "*" is for all others.'
    }
  ),
  unknown_price: setting(Type.Enum(['count', 'refuse']), {
    default: 'count',
    describe:
      'Requests to a model without a price. count: they are made, and counted with 0. refuse: they wait for a price.'
  }),
  uncertain_calls: setting(Type.Enum(['count', 'free']), {
    default: 'count',
    describe:
      'Requests whose charge is not known (no usage, a 5xx, broken off). count: their worst case counts. free: nothing does.'
  }),
  cost_calls_days: setting(Type.Integer({ minimum: 62, maximum: 36_500 }), {
    default: 400,
    describe: 'Days after which paid requests are deleted. The sums of months and days stay.'
  }),
  cost_currency: setting(Type.String({ pattern: '^[A-Z]{3}$' }), {
    default: 'USD',
    describe: 'Currency of prices and budgets, such as EUR. It is only shown: nothing is converted.'
  })
}
export type CostSettings = typeof costSettings
