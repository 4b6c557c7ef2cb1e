import { fieldLines, pageTable } from '#cli'
import { type Args, command, type Db, type FieldErrors, InputError, type Installation, type Terminal } from '#core'
import { pluralized } from '#text/plural'
import { sinceOf } from '#time'
import { missingDelivery } from '../inbox/missing-delivery.ts'
import type { Replays } from '../inbox/replays.ts'
import {
  countDeliveries,
  type DeliveryFilter,
  deliveryStates,
  findDelivery,
  listDeliveries,
  resolveDelivery
} from '../repository/deliveries.ts'
import type { Sources } from '../sources/sources.ts'
import { relayCommand } from './relay.ts'
import { revenueCommand } from './revenue.ts'

interface WebhookCommandDeps {
  db: Db
  replays: Replays
  sources: Sources
  installation: Installation
  alertSecret(): string
  now(): Date
}

export const webhookCommands = (deps: WebhookCommandDeps) => ({
  list: listCommand(deps),
  show: showCommand(deps),
  replay: replayCommand(deps),
  revenue: revenueCommand(deps),
  relay: relayCommand(deps)
})

const filters = {
  source: { type: 'string', placeholder: 'NAME', describe: 'Only those of this sender, such as payments-provider' },
  state: { type: 'string', options: deliveryStates, describe: 'Only those in this state' },
  since: {
    type: 'string',
    placeholder: 'DUR|TIME',
    describe: 'Only those that came from this long ago, or from this moment on'
  }
} as const

const columns = [
  { heading: 'ID' },
  { heading: 'RECEIVED', dropOrder: 1 },
  { heading: 'SOURCE' },
  { heading: 'TYPE', isText: true },
  { heading: 'STATE' },
  { heading: 'SENT', dropOrder: 2 },
  { heading: 'FAULT', isText: true }
]

const listCommand = ({ db, now }: WebhookCommandDeps) =>
  command({
    describe: 'What other systems sent, newest first',
    returns: 'list of WebhookDelivery',
    args: {
      ...filters,
      limit: { type: 'integer', describe: 'Deliveries to show', default: 20, minimum: 1, maximum: 100 }
    },
    async run({ args, terminal }) {
      const filter = filterOf(args, terminal, now())
      const [items, total] = await Promise.all([listDeliveries(db, filter, args.limit), countDeliveries(db, filter)])
      return { items, total, limit: args.limit, offset: 0 }
    },
    text: ({ items, total }, terminal) => {
      const rows = items.map(item => [
        item.id.slice(0, 8),
        item.received_at,
        item.source,
        item.event_type,
        item.state,
        String(item.deliveries),
        item.error ?? ''
      ])
      return pageTable(columns, rows, { total, offset: 0, empty: 'No webhooks came.' }, terminal)
    }
  })

const showCommand = ({ db }: WebhookCommandDeps) =>
  command({
    describe: 'One webhook, with its body as it came',
    returns: 'WebhookDelivery with `body`: null once it was removed, and in base64 where it is not UTF-8',
    args: { id: { type: 'positional', required: true, describe: 'Id, or its first 8 characters' } },
    async run({ args }) {
      const id = await resolveDelivery(db, args.id)
      const { body, ...view } = (await findDelivery(db, id)) ?? missingDelivery(id)
      return { ...view, body: body === null ? null : textOfBody(body) }
    },
    text: ({ body, ...view }, terminal) => `${fieldLines(view, terminal)}\n\n${body ?? 'The body was removed.'}`
  })

function textOfBody(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return body.toString('base64')
  }
}

const replayCommand = ({ replays, sources, now }: WebhookCommandDeps) =>
  command({
    describe: 'Handle a webhook again, or all that came since a moment',
    returns: 'WebhookDelivery; with --since {replayed, without_body}',
    args: { id: { type: 'positional', describe: 'Id, or its first 8 characters' }, ...filters },
    validate({ id, since, source, state }): FieldErrors {
      if ((id === undefined) === (since === undefined))
        return { id: id === undefined ? 'is required, or --since' : 'goes with no --since' }
      return id !== undefined && (source ?? state) !== undefined ? { id: 'goes with no filter' } : {}
    },
    async run({ args, terminal }) {
      if (args.id !== undefined) return replays.one(args.id)
      const names = sources.all().map(({ name }) => name)
      if (args.source !== undefined && !names.includes(args.source))
        throw new InputError({ source: `must be one of ${names.join(', ')}` })
      return replays.matching(filterOf(args, terminal, now()))
    },
    text: result => {
      if ('id' in result) return `${result.id} is handled again: "webhooks show" says how it went.`
      const { replayed, without_body } = result
      const rest = without_body === 0 ? '' : ` Of ${pluralized(without_body, 'more')} the body was removed.`
      return `${pluralized(replayed, 'webhook')} ${replayed === 1 ? 'is' : 'are'} handled again.${rest}`
    }
  })

type FilterArgs = Pick<Partial<Args<typeof filters>>, keyof typeof filters>

/** @throws InputError for a `since` that is none */
const filterOf = ({ source, state, since }: FilterArgs, { timeZone }: Terminal, now: Date): DeliveryFilter => ({
  source,
  state,
  since: sinceOf(since, timeZone, now)
})
