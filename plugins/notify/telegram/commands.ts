import { type Db, showTime } from '#core'
import type { Gates, HeldItem } from '#plugins/gates'
import type { Notice } from '../index.ts'
import { actionsFor, cutTo, gateOfCommand, nounOf } from '../notices.ts'
import { findTold } from '../repository.ts'
import { channelName } from './channel.ts'
import type { Incoming } from './incoming.ts'

/** What a chat command does. */
export interface ChatCommand {
  /** True for one that decides: it is never carried out twice. */
  readonly isDecision: boolean
  /** @throws AppError whose message is the answer. */
  run(): Promise<Notice>
}

/** More are to be decided before they are worth listing. */
const listed = 10
const longestReason = 2000

export interface ChatDeps {
  db: Db
  gates: Gates
  /** The operator's. */
  timeZone(): string
}

/** Reads a command; undefined for one that does not exist. */
export function createChatCommands(deps: ChatDeps) {
  const { gates } = deps
  return (incoming: Incoming): ChatCommand | undefined => {
    const { command } = incoming
    if (command === 'help' || command === 'start') return { isDecision: false, run: async () => helpNotice }
    if (command === 'pending') return { isDecision: false, run: () => pending(gates) }
    const [verb, ...words] = command.split('_')
    if (verb !== 'approve' && verb !== 'reject') return undefined
    const noun = words.join('_')
    // A gate of another plugin goes by its name: /approve proofreading <id>.
    const [named = '', rest] = noun === '' ? splitWord(incoming.rest) : ['', incoming.rest]
    const gate_name = noun === '' ? named : gateOfCommand(noun)
    if (gate_name === undefined) return undefined
    return { isDecision: true, run: () => decide(deps, { verb, gate_name, rest, incoming }) }
  }
}

interface Wanted {
  verb: 'approve' | 'reject'
  gate_name: string
  rest: string
  incoming: Incoming
}

async function decide({ db, gates, timeZone }: ChatDeps, wanted: Wanted): Promise<Notice> {
  const { verb, gate_name, rest, incoming } = wanted
  const [id = '', words] = splitWord(rest)
  if (id === '') {
    const usage = `/${incoming.command}${gate_name === '' ? ' <gate>' : ''} <id>${verb === 'reject' ? ' [reason]' : ''}`
    return answer(`Which one? Write ${usage}; /pending shows what waits.`)
  }
  const message_id = incoming.button === null ? null : incoming.message_id
  const told = await findTold(db, { channel: channelName, gate_name, id_prefix: id.toLowerCase(), message_id })
  const item = await gates[verb](gate_name, id, {
    actor: incoming.actor,
    reason: words === '' ? null : cutTo(words, longestReason),
    // What was approved is what the chat was told of: other content by now is refused.
    content_hash: told?.content_hash ?? null
  })
  return answer(`${verb === 'approve' ? 'Approved' : 'Rejected'}: ${describe(item, timeZone())}`)
}

/** A task or post in its REST shape, in a few words. */
function describe(item: object, timeZone: string): string {
  const { title, topic, status, published_at, slug } = item as Record<string, unknown>
  const name = cutTo(String(title ?? topic ?? slug ?? 'it'), 200)
  const when =
    status === 'scheduled' && typeof published_at === 'string' ? ` for ${showTime(published_at, timeZone)}` : ''
  return typeof status === 'string' ? `“${name}” is now ${status}${when}.` : `“${name}”.`
}

async function pending(gates: Gates): Promise<Notice> {
  const [items, total] = await Promise.all([gates.pending(null), gates.countPending(null)])
  if (items.length === 0) return answer('Nothing waits for a decision.')
  const more = items.length > listed ? [`… and ${total - listed} more: galley gates pending`] : []
  return {
    title: `${total} waiting for a decision:`,
    lines: [...items.slice(0, listed).flatMap(linesOf), ...more],
    actions: []
  }
}

function linesOf(item: HeldItem): string[] {
  const commands = actionsFor(item).map(({ chat, hint }) => `${chat} ${hint}`.trimEnd())
  return ['', `${nounOf(item.gate_name)}: ${cutTo(item.title, 150)}`, ...commands]
}

/** The first word, and what follows it. */
function splitWord(text: string): [string, string] {
  const [, first = '', rest = ''] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  return [first, rest.trim()]
}

export const answer = (title: string): Notice => ({ title, lines: [], actions: [] })

const helpNotice: Notice = {
  title: 'What waits for you is told here. You can answer:',
  lines: [
    '/pending: all that waits',
    '/approve_topic <id>, /reject_topic <id> [reason]: a proposed topic',
    '/approve_draft <id>, /reject_draft <id> <what should change>: a draft',
    '/approve_post <id>, /reject_post <id> [reason]: a post held at its slot',
    '/approve <gate> <id>, /reject <gate> <id> [reason]: at another gate',
    'An id may be shortened to its first 8 characters.'
  ],
  actions: []
}
