import { type TSchema, Type } from '#core'
import { pageOf, pageParameters } from '#lists'
import { periodParameters } from '#time'

const Nullable = <S extends TSchema>(schema: S, options = {}) => Type.Union([schema, Type.Null()], options)
const strict = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const Money = Type.Number({ description: 'In the currency, to six decimals.', examples: [0.0125] })
const currency = Type.String({ examples: ['USD'] })
const calls = Type.Integer({ description: 'Requests.', examples: [2] })

export const BudgetSchema = Type.Object(
  {
    monthly_budget: Nullable(Money, { examples: [20] }),
    amount_spent: Money,
    amount_remaining: Nullable(Money, { examples: [19.98] }),
    percent_used: Nullable(Type.Number({ examples: [0.06] })),
    projected_final_cost: Money,
    days_remaining: Type.Integer({ description: 'Of the month, after today.', examples: [7] }),
    status: Type.Enum(['no_budget', 'on_track', 'waiting', 'warning', 'used_up'], { examples: ['on_track'] })
  },
  { title: 'CostBudget' }
)

export const CallSchema = Type.Object(
  {
    call_id: Type.String({ format: 'uuid' }),
    at: Time,
    status: Type.Enum(['reserved', 'settled', 'expired'], { examples: ['settled'] }),
    kind: Type.Enum(['chat', 'embedding', 'speech', 'image'], { examples: ['chat'] }),
    model: Type.String({ examples: ['gpt-5-mini'] }),
    task_id: Nullable(Type.String({ format: 'uuid' })),
    attempt: Nullable(Type.Integer({ examples: [1] })),
    part: Nullable(Type.String({ description: 'Stage, rail or kind of file.', examples: ['draft'] })),
    post_id: Nullable(Type.String({ format: 'uuid' })),
    niche_slug: Nullable(Type.String({ examples: ['nature'] })),
    amount: Type.Number({ description: 'What counts: while it is reserved, the worst case.', examples: [0.0125] }),
    reserved: Money,
    basis: Type.Enum(['usage', 'worst_case', 'nothing', 'correction'], {
      description: 'Where the amount is from.',
      examples: ['usage']
    }),
    is_priced: Type.Boolean({ examples: [true] }),
    usage: Nullable(Type.Object({}, { additionalProperties: true }), {
      examples: [{ input_tokens: 1200, output_tokens: 900 }]
    }),
    settled_at: Nullable(Time)
  },
  { title: 'CostCall' }
)

export const CallListSchema = Type.Object({
  ...pageOf(CallSchema).properties,
  amount: Type.Number({ description: 'Of all pages together.', examples: [1.25] })
})

const Id = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}, or 8 or more of its first characters.`,
    examples: ['3f2a9c1b']
  })
export const CallListQuery = Type.Object(
  {
    task_id: Type.Optional(Id('Only for this task: its id')),
    post_id: Type.Optional(Id('Only for this post: its id')),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Only of this model.' })),
    ...periodParameters,
    ...pageParameters
  },
  strict
)

export const TaskIdParameters = Type.Object({ task_id: Id('The id') })

export const TaskCostSchema = Type.Object(
  {
    amount: Money,
    currency,
    calls,
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer({ examples: [1] }),
        amount: Money,
        parts: Type.Array(Type.Object({ part: Type.String({ examples: ['critic'] }), amount: Money, calls }))
      })
    ),
    next_run: Type.Object({
      amount: Nullable(Money, { description: 'What one more attempt costs, about; null while nothing is known.' }),
      currency,
      based_on: Type.Integer({ description: 'Earlier attempts it is the mean of.', examples: [3] })
    })
  },
  { title: 'TaskCost' }
)

export const CorrectionBody = Type.Object(
  {
    amount: Type.String({
      pattern: '^\\d{1,7}(\\.\\d{1,12})?$',
      description: 'What it did cost, as a decimal such as 0.0125.',
      examples: ['0.25']
    }),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['as billed'] })
  },
  { ...strict, title: 'CostCorrection' }
)
export const CallIdParameters = Type.Object({ call_id: Id('The id') })
