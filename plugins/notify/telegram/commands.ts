import { type Db, showTime } from '#core'
import type { Gates } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import type { Tasks } from '#plugins/tasks'
import type { Notice } from '../index.ts'
import { cutLine, gateOfNoun } from '../notices.ts'
import { findNotified } from '../repository.ts'
import { channelName } from './channel.ts'
import type { Incoming } from './incoming.ts'
import { hashOfMark, pendingNotice, splitMark } from './pending.ts'

/** What a chat command does. */
export interface ChatCommand {
  /** True for one that decides: it is never carried out twice. */
  readonly isDecision: boolean
  /** @throws AppError whose message is the answer. */
  run(): Promise<Notice>
}

const maxReasonLength = 2000

export interface ChatDeps {
  db: Db
  gates: Gates
  tasks: Tasks | undefined
  posts: Pick<Posts, 'previewUrl' | 'publicUrl'> | undefined
  /** The operator's. */
  timeZone(): string
}

/** Reads a command; undefined for one that does not exist. */
export function createChatCommands(deps: ChatDeps) {
  const { tasks } = deps
  return (incoming: Incoming): ChatCommand | undefined => {
    const { command } = incoming
    if (command === 'help' || command === 'start') return { isDecision: false, run: async () => helpNotice }
    if (command === 'pending') return { isDecision: false, run: () => pendingNotice(deps, incoming.rest) }
    if (tasks !== undefined && command === 'retry_task')
      return { isDecision: true, run: () => decideTask(deps, incoming, tasks.retry, 'Taken up again') }
    if (tasks !== undefined && command === 'cancel_task')
      return { isDecision: true, run: () => decideTask(deps, incoming, tasks.cancel, 'Cancelled') }
    const [verb, ...words] = command.split('_')
    if (verb !== 'approve' && verb !== 'reject') return undefined
    const noun = words.join('_')
    // A gate of another plugin goes by its name: /approve proofreading <id>.
    const [named = '', rest] = noun === '' ? splitWord(incoming.rest) : ['', incoming.rest]
    const gate_name = noun === '' ? named : gateOfNoun(noun)
    if (gate_name === undefined) return undefined
    return { isDecision: true, run: () => decide(deps, { verb, gate_name, rest, incoming }) }
  }
}

interface DecisionRequest {
  verb: 'approve' | 'reject'
  gate_name: string
  rest: string
  incoming: Incoming
}

async function decide({ db, gates, posts, timeZone }: ChatDeps, request: DecisionRequest): Promise<Notice> {
  const { verb, gate_name, rest, incoming } = request
  const [id = '', given] = splitWord(rest)
  const { mark, words } = splitMark(given)
  if (id === '') {
    const usage = `/${incoming.command}${gate_name === '' ? ' <gate>' : ''} <id>${verb === 'reject' ? ' [reason]' : ''}`
    return answer(`Which one? Write ${usage}; /pending shows what waits.`)
  }
  const message_id = incoming.button === null ? null : incoming.message_id
  const told = await findNotified(db, { channel: channelName, gate_name, id_prefix: id.toLowerCase(), message_id })
  const item = await gates[verb](gate_name, id, {
    actor: incoming.actor,
    reason: words === '' ? null : cutLine(words, maxReasonLength),
    // What was approved is what the chat was told of: other content by now is refused.
    content_hash: mark === null ? (told?.content_hash ?? null) : await hashOfMark(gates, gate_name, id, mark)
  })
  const done = `${verb === 'approve' ? 'Approved' : 'Rejected'}: ${describe(item, timeZone())}`
  return { ...answer(done), link: addressOf(item, posts) }
}

/** What no gate decides: of a task that failed, was rejected, or is not request any more. */
async function decideTask(
  { timeZone }: ChatDeps,
  { command, rest, actor }: Incoming,
  decision: Tasks['retry'],
  done: string
): Promise<Notice> {
  const [id = '', words] = splitWord(rest)
  if (id === '') return answer(`Which one? Write /${command} <id> [reason].`)
  const task = await decision(id, { actor, reason: words === '' ? null : cutLine(words, maxReasonLength) })
  return answer(`${done}: ${describe(task, timeZone())}`)
}

/** A task or post in its REST shape, in a few words. */
function describe(item: object, timeZone: string): string {
  const { title, topic, status, published_at, slug } = item as Record<string, unknown>
  const name = cutLine(String(title ?? topic ?? slug ?? 'it'), 200)
  const when =
    status === 'scheduled' && typeof published_at === 'string' ? ` for ${showTime(published_at, timeZone)}` : ''
  return typeof status === 'string' ? `“${name}” is now ${status}${when}.` : `“${name}”.`
}

/** Where readers find it, once it is published: of a post its slug's, of a task the one it names. */
function addressOf(item: object, posts: ChatDeps['posts']): string | null {
  const { status, slug, published_url } = item as Record<string, unknown>
  if (status !== 'published') return null
  if (typeof published_url === 'string') return published_url
  return typeof slug === 'string' ? (posts?.publicUrl(slug) ?? null) : null
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
    '/pending [page]: all that waits',
    '/approve_topic <id>, /reject_topic <id> [reason]: a proposed topic',
    '/approve_draft <id>, /reject_draft <id> <what should change>: a draft',
    '/approve_post <id>, /reject_post <id> [reason]: a post held at its slot',
    '/retry_task <id> [reason]: a task that failed or was rejected; /cancel_task <id> [reason]: one that is not published',
    '/approve <gate> <id>, /reject <gate> <id> [reason]: at another gate',
    'An id may be shortened to its first 8 characters.'
  ],
  actions: []
}
