import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type Db, type Delivery, InputError, type Job, job, jobType, type Log } from '#core'
import type { Notice } from '../index.ts'
import type { Outbox } from '../messages.ts'
import { type Bot, sameConfig, type TelegramConfig, TelegramError, type Update } from './bot.ts'
import { channelName } from './channel.ts'
import { answer, type ChatCommand } from './commands.ts'
import { type Incoming, readUpdate } from './incoming.ts'
import { beginUpdate, endUpdate, leaveTurn, type Turn, takePollTurn } from './poll-repository.ts'

/** Takes commands from the chat for as long as it is set up. */
export const Poll = jobType<Record<string, never>>('notify.poll')

/** A job that runs for longer than a day would be taken for lost. */
const longestRunMs = 12 * 60 * 60 * 1000
const longestDelaySeconds = 30
/** Another poller on the same token, or a webhook: it may be one that is about to end. */
const conflictDelaySeconds = 2

export interface PollingDeps {
  db: Db
  outbox: Outbox
  log: Log
  config(): TelegramConfig | null
  open(config: TelegramConfig): Promise<Bot>
  commandOf(incoming: Incoming): ChatCommand | undefined
}

/** The long poll of this process. */
export interface Polling {
  /** False when it ended only because a job may not run for ever: another one is to go on. */
  run(delivery: Delivery): Promise<boolean>
  /** Has a poll under way end when it is not the one that is set up any more. */
  follow(): void
}

export function createPolling(deps: PollingDeps): Polling {
  let current: { config: TelegramConfig | null; abort: AbortController; job_ids: string[] } | undefined
  return {
    async run({ id, signal }) {
      if (current !== undefined) {
        // The turn may be this job's, whose process is gone: it comes to the one that runs.
        current.job_ids.push(id)
        return true
      }
      const [claim, limit, job_ids] = [randomUUID(), AbortSignal.timeout(longestRunMs), [id]]
      current = { config: null, abort: new AbortController(), job_ids }
      try {
        for (let config = deps.config(); config !== null && !signal.aborted; config = deps.config()) {
          if (limit.aborted) return false
          const abort = new AbortController()
          current = { config, abort, job_ids }
          const stop = AbortSignal.any([signal, limit, abort.signal])
          const known = job_ids.length
          if (!(await poll(deps, config, { job_ids, claim, stop })) && job_ids.length === known) break
        }
        return true
      } finally {
        current = undefined
        // The job comes back when the database does; so does the turn.
        await leaveTurn(deps.db, claim).catch(error => deps.log.debug({ err: error }, 'the turn to poll runs out'))
      }
    },
    follow() {
      if (current !== undefined && !sameConfig(current.config, deps.config())) current.abort.abort()
    }
  }
}

/** Ends only when it is told to; two at once let one that came too late see so. */
export function pollJob(polling: Polling, goOn: () => Promise<void>): Job {
  const run = async (delivery: Delivery) => {
    if (!(await polling.run(delivery))) await goOn()
  }
  return job(Poll, (_, delivery) => run(delivery), { endless: true, concurrency: 2, timeout: 80_000 })
}

/** Which bot of which server: update ids are counted for each. */
export const botOf = ({ token, api_root }: TelegramConfig): string =>
  createHash('sha256')
    .update(`${api_root} ${token.split(':')[0]}`)
    .digest('hex')
    .slice(0, 32)

interface Place {
  /** Of the job that polls, and of those that came to it. */
  job_ids: readonly string[]
  claim: string
  stop: AbortSignal
}

/** Polls one bot until `stop`; false when another process has the turn. */
async function poll(deps: PollingDeps, config: TelegramConfig, place: Place): Promise<boolean> {
  const { db, log } = deps
  const isAlone = db.kind === 'pglite'
  const bot = await deps.open(config)
  for (let failures = 0; !place.stop.aborted; ) {
    const turn = await takePollTurn(db, botOf(config), { ...place, isAlone })
    if (turn === undefined) return false
    try {
      await handleNext(deps, config, bot, turn, place)
      failures = 0
    } catch (error) {
      if (place.stop.aborted) break
      if (!(error instanceof TelegramError)) throw error
      // Once for each time it begins: a service may be away for long.
      if (failures === 0)
        log.warn({ code: error.code, reason: error.message }, 'no commands from Telegram: trying again')
      failures += 1
      await sleep(delayAfter(error, failures) * 1000, undefined, { signal: place.stop }).catch(() => {})
    }
  }
  await leaveTurn(db, place.claim)
  return true
}

function delayAfter({ code, retryAfter }: TelegramError, failures: number): number {
  // Longer, and the turn would run out.
  if (retryAfter !== null) return Math.min(retryAfter, longestDelaySeconds)
  if (code === 409) return conflictDelaySeconds
  return code === 401 || code === 404 ? longestDelaySeconds : Math.min(2 ** (failures - 1), longestDelaySeconds)
}

async function handleNext(
  deps: PollingDeps,
  config: TelegramConfig,
  bot: Bot,
  turn: Turn,
  { claim, stop }: Place
): Promise<void> {
  const updates = await bot.updates(turn.next_update_id, stop)
  const fresh = updates.filter(({ update_id }) => update_id >= turn.next_update_id)
  // A server that answers at once with what it was told is done would be asked in a circle.
  if (fresh.length < updates.length && fresh.length === 0) await sleep(1_000, undefined, { signal: stop })
  for (const update of fresh) {
    // What is set up now decides who may command, also in the moment before this poll is told to end.
    if (stop.aborted || !sameConfig(config, deps.config())) return
    const isMine = await handle(deps, config, bot, update, { claim, begun: turn.begun_update_id })
    if (!isMine) return
  }
}

/** Carries out what an update asks for, and answers it together with noting that it is done. False: the turn is lost. */
async function handle(
  deps: PollingDeps,
  config: TelegramConfig,
  bot: Bot,
  update: Update,
  { claim, begun }: { claim: string; begun: number | null }
): Promise<boolean> {
  const { db, outbox, log } = deps
  const [id, name] = [update.update_id, botOf(config)]
  const read = readUpdate(update, config)
  if (read.kind === 'stranger')
    log.info({ update_id: id, chat_id: read.chat }, 'a message from a chat that may not command was ignored')
  const incoming = read.kind === 'command' && (await isForUs(bot, read.incoming)) ? read.incoming : null
  const command = incoming === null ? undefined : deps.commandOf(incoming)
  if (command?.isDecision && begun !== id && !(await beginUpdate(db, name, claim, id))) return false
  const notice = incoming === null ? null : await carryOut(deps, incoming, command, begun === id)
  const isMine = await db.transaction(async tx => {
    if (!(await endUpdate(tx, name, claim, id))) return false
    if (notice !== null && incoming !== null)
      await outbox.answer(tx, channelName, `update:${name}:${id}`, notice, incoming.message_id)
    return true
  })
  if (incoming?.button != null && notice !== null) endWaiting(bot, incoming.button, notice.title, log)
  return isMine
}

/** A command may name another bot of the group. */
async function isForUs(bot: Bot, { addressee }: Incoming): Promise<boolean> {
  if (addressee === null) return true
  const username = await bot.username().catch(() => addressee)
  return username.toLowerCase() === addressee.toLowerCase()
}

async function carryOut(
  { log }: PollingDeps,
  incoming: Incoming,
  command: ChatCommand | undefined,
  wasBegun: boolean
): Promise<Notice | null> {
  if (command === undefined) {
    const isMeant = incoming.isPrivate || incoming.addressee !== null || incoming.button !== null
    return isMeant ? answer('There is no such command: /help shows those there are.') : null
  }
  if (command.isDecision && wasBegun) {
    return answer(
      'The service stopped while it carried this out: look at /pending, and give it again if it still waits.'
    )
  }
  try {
    return await command.run()
  } catch (error) {
    if (error instanceof AppError) return answer(messageOf(error))
    log.error({ err: error, command: incoming.command, actor: incoming.actor }, 'a command from the chat failed')
    return answer('That failed in the service; its log says why. Look at /pending before you give it again.')
  }
}

function messageOf({ message, fields }: AppError): string {
  const faults = Object.entries(fields).map(([field, fault]) => `${field} ${fault}`)
  if (faults.length === 0) return message
  const told = `${faults.join('; ')}.`
  // "See errors" is for those who get a field of that name.
  return message === new InputError({}).message ? told.charAt(0).toUpperCase() + told.slice(1) : `${message} ${told}`
}

/** Only a courtesy: the answer itself is a message. */
function endWaiting(bot: Bot, button: string, text: string, log: Log): void {
  bot
    .answerButton(button, text)
    .catch(error => log.debug({ reason: String(error) }, 'a pressed button was not answered'))
}
