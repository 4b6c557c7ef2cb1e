import { ConflictError, InputError, NotFoundError } from '#core'
import type { ChatCommand, ChatCommandGroup, ChatRequest, Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { formatInstant } from '#time'
import { type DecidedItem, slotAhead } from '../decided-items.ts'
import type { GateRegistry } from '../gates.ts'
import type { GateLabels, PostLinks } from '../index.ts'
import { pendingAction } from './notices.ts'
import { splitMark } from './pending.ts'

interface DecisionDeps {
  gates: Pick<GateRegistry, 'approve' | 'reject' | 'held' | 'postLinks'>
  /** The operator's. */
  timeZone(): string
  now(): Date
}

type Verb = 'approve' | 'reject'

/** `/approve_topic <id>` and `/reject_topic <id> [reason]`. */
export function labelledDecisions(
  deps: DecisionDeps,
  gate_name: string,
  { noun, describe, requiredReason }: GateLabels
): ChatCommandGroup {
  const command = (verb: Verb, usage: string): ChatCommand => ({
    usage,
    isDecision: true,
    run: request => decide(deps, verb, gate_name, request.args[0], request)
  })
  return {
    describe: requiredReason === undefined ? describe : `${describe}; the reason says ${requiredReason}`,
    commands: {
      [`approve_${noun}`]: command('approve', '<id>'),
      [`reject_${noun}`]: command('reject', '<id> [reason]')
    }
  }
}

/** `/approve <gate> <id>` and `/reject <gate> <id> [reason]`, for gates without a word of their own. */
export function namedDecisions(deps: DecisionDeps): ChatCommandGroup {
  const command = (verb: Verb, usage: string): ChatCommand => ({
    usage,
    isDecision: true,
    run: request => decide(deps, verb, request.args[0], request.args[1], request)
  })
  return {
    describe: 'at another gate',
    commands: { approve: command('approve', '<gate> <id>'), reject: command('reject', '<gate> <id> [reason]') }
  }
}

async function decide(
  deps: DecisionDeps,
  verb: Verb,
  gate_name = '',
  id = '',
  { text, actor, shownHash }: Omit<ChatRequest, 'args'>
): Promise<Notice> {
  const { mark, words } = splitMark(text)
  // The decision is for the content that the chat was shown.
  const content_hash =
    mark === null
      ? await hashShown(shownHash, gate_name, await subjectIdOf(deps.gates, gate_name, id))
      : await hashOfMark(deps.gates, gate_name, id, mark)
  const item = await deps.gates[verb](gate_name, id, { actor, reason: words || null, content_hash })
  const link = await publicLinkOf(item, deps.gates.postLinks())
  const slot = link === null ? slotAhead(item, deps.now()) : null
  const done = `${verb === 'approve' ? 'Approved' : 'Rejected'}: ${describeItem(item)}`
  const when = slot === null ? '' : ` for ${formatInstant(slot, deps.timeZone())}`
  return { title: `${done}${when}.`, lines: [], link, actions: [] }
}

function describeItem({ title, topic, slug, status }: DecidedItem): string {
  const name = truncateText(String(title ?? topic ?? slug ?? 'it'), 200)
  return typeof status === 'string' ? `“${name}” is now ${status}` : `“${name}”`
}

const publicLinkOf = async ({ post_id }: DecidedItem, links: PostLinks | undefined): Promise<string | null> =>
  typeof post_id === 'string' ? ((await links?.published(post_id)) ?? null) : null

/** @throws ConflictError that names the way out when the chat was not shown what would be decided on */
async function hashShown(shownHash: ChatRequest['shownHash'], gate_name: string, id: string): Promise<string | null> {
  try {
    return await shownHash(gate_name, id)
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    throw new ConflictError(
      `${error.message} Look at it with ${pendingAction.chat}: its buttons and commands decide on what it shows.`
    )
  }
}

/** The id that messages about it name: an operator may give that of its post. What names nothing that waits is judged by the gate. */
async function subjectIdOf(gates: Pick<GateRegistry, 'held'>, gate_name: string, id: string): Promise<string> {
  try {
    return (await gates.held(id, gate_name)).subject_id
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InputError) return id
    throw error
  }
}

/**
 * The whole hash of what waits, which the mark of a listed command begins.
 * @throws NotFoundError when nothing waits by now, ConflictError `CONTENT_CHANGED` when another content does.
 */
async function hashOfMark(
  gates: Pick<GateRegistry, 'held'>,
  gate_name: string,
  id: string,
  mark: string
): Promise<string> {
  const { content_hash } = await gates.held(id, gate_name)
  if (content_hash?.startsWith(mark)) return content_hash
  throw new ConflictError(
    'What waits there is not what the list showed: /pending shows how it is now. Nothing was changed.',
    'CONTENT_CHANGED'
  )
}
