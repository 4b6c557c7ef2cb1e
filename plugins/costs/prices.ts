import { type Static, Type } from '#core'
import { type CallKind, type CallUsage, callKinds } from './calls.ts'
import { type Amount, amountOf } from './money.ts'

const price = (describe: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: describe }))

/** What one model costs, in the currency of the setting `cost_currency`. */
export const PriceSchema = Type.Object(
  {
    per_million_input_tokens: price('Of chat models and embedders.'),
    per_million_output_tokens: price('Of chat models.'),
    per_million_characters: price('Of voices that count characters.'),
    per_second: price('Of voices that count seconds of sound.'),
    per_image: price('Of image models.'),
    max_output_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'Longest answer of a chat model that is asked for.'
      })
    )
  },
  { additionalProperties: false }
)
export type Price = Static<typeof PriceSchema>

/** Of a model whose price does not say. */
const defaultMaxOutputTokens = 16_384

export const maxOutputTokens = (price: Price | null): number => price?.max_output_tokens ?? defaultMaxOutputTokens

/** The prices that a call of a kind needs; of several lists one is enough. */
const needed: Readonly<Record<CallKind, readonly (readonly (keyof Price)[])[]>> = {
  chat: [['per_million_input_tokens', 'per_million_output_tokens']],
  embedding: [['per_million_input_tokens']],
  speech: [['per_million_characters'], ['per_second']],
  image: [['per_image']]
}

/**
 * The price of a model for a kind of call; null when there is none, or it lacks what such a call is priced by. A picture's
 * model may be listed with its size (`model@1536x1024`). `*` is the price of every model without one.
 */
export function priceFor(
  prices: Readonly<Record<string, Price>>,
  { kind, model, size }: { kind: CallKind; model: string; size?: string }
): Price | null {
  const names = [...(size === undefined ? [] : [`${model}@${size}`]), model, '*']
  const found = names.find(name => Object.hasOwn(prices, name) && isEnough(prices[name], kind))
  return found === undefined ? null : (prices[found] ?? null)
}

const isEnough = (price: Price | undefined, kind: CallKind): boolean =>
  price !== undefined && needed[kind].some(keys => keys.every(key => price[key] !== undefined))

/** Whether a price prices any request: a part of what a call needs prices none. */
export const isAnyPrice = (price: Price): boolean => callKinds.some(kind => isEnough(price, kind))

/** The settings a kind of call is priced by, in words. */
export const neededPrices = (kind: CallKind): string => needed[kind].map(keys => keys.join(' and ')).join(', or ')

const million = 1_000_000n

/** What usage costs. Tokens and characters are whole; seconds count to the millisecond, rounded up. */
export function costOf(price: Price, usage: CallUsage): Amount {
  const perMillion = (count: number | undefined, amount: number | undefined) =>
    (BigInt(Math.ceil(count ?? 0)) * amountOf(amount ?? 0)) / million
  return (
    perMillion(usage.input_tokens, price.per_million_input_tokens) +
    perMillion(usage.output_tokens, price.per_million_output_tokens) +
    perMillion(usage.characters, price.per_million_characters) +
    (BigInt(Math.ceil((usage.seconds ?? 0) * 1_000)) * amountOf(price.per_second ?? 0)) / 1_000n +
    BigInt(usage.images ?? 0) * amountOf(price.per_image ?? 0)
  )
}

/** More than any call uses: what a server says beyond it is no count. */
const maxCount = 1_000_000_000

/** What a server says it used, where that is a count of anything; null where it is not. */
export function checkedUsage(usage: CallUsage): CallUsage | null {
  const counts = Object.values(usage).filter(count => count !== undefined)
  const isCount = (count: unknown) => typeof count === 'number' && count >= 0 && count <= maxCount
  return counts.some(count => count > 0) && counts.every(isCount) ? usage : null
}
