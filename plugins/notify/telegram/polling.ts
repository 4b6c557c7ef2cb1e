import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type Db, type Delivery, InputError, type Job, job, jobType, type Log, messageOf } from '#core'
import { answer, type PreparedCommand } from '../chat-commands.ts'
import type { Notice } from '../index.ts'
import type { Outbox } from '../outbox.ts'
import { beginUpdate, endUpdate, type Lease, releaseLease, takeLease } from '../repository/leases.ts'
import { type Bot, isSameConfig, type TelegramConfig, TelegramError, type Update } from './bot.ts'
import { channelName } from './channel.ts'
import { type Incoming, readUpdate } from './incoming.ts'

/** Takes commands from the chat while it is set up. */
export const Poll = jobType<Record<string, never>>('notify.poll')

/** A job that runs for more than a day would count as lost. */
const maxRunMs = 12 * 60 * 60 * 1000
const maxDelaySeconds = 30
/** Another poller with the same token may be about to end. */
const conflictDelaySeconds = 2

interface PollingDeps {
  db: Db
  outbox: Outbox
  log: Log
  config(): TelegramConfig | null
  open(config: TelegramConfig): Promise<Bot>
  commandOf(incoming: Incoming): PreparedCommand | undefined
}

/** The long poll of this process. */
export interface Polling {
  /** False when it ended only because of the maximum run time: another job has to continue. */
  run(delivery: Delivery): Promise<boolean>
  /** Ends a running poll whose bot is no longer the configured one. */
  stopIfOutdated(): void
}

export function createPolling(deps: PollingDeps): Polling {
  let current: { config: TelegramConfig | null; abort: AbortController; job_ids: string[] } | undefined
  return {
    async run({ id, signal }) {
      if (current !== undefined) {
        // The lease may be this job's, whose process died: the running poll takes it over.
        current.job_ids.push(id)
        return true
      }
      const claim = randomUUID()
      const limit = AbortSignal.timeout(maxRunMs)
      const job_ids = [id]
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
        // Without the database the lease expires.
        await releaseLease(deps.db, claim).catch(error => deps.log.debug({ err: error }, 'the poll lease will expire'))
      }
    },
    stopIfOutdated() {
      if (current !== undefined && !isSameConfig(current.config, deps.config())) current.abort.abort()
    }
  }
}

/** Runs until it is stopped. With a concurrency of two, a second job can see that one runs already. */
export function pollJob(polling: Polling, queueNext: () => Promise<void>): Job {
  const run = async (delivery: Delivery) => {
    if (!(await polling.run(delivery))) await queueNext()
  }
  return job(Poll, (_, delivery) => run(delivery), { isEndless: true, concurrency: 2, timeoutSeconds: 80_000 })
}

/** Identifies a bot on a server: each has its own update ids. */
export const botKey = ({ token, api_root }: TelegramConfig): string =>
  createHash('sha256')
    .update(`${api_root} ${token.split(':')[0]}`)
    .digest('hex')
    .slice(0, 32)

interface PollContext {
  /** Of the polling job, and of later ones that found it running. */
  job_ids: readonly string[]
  claim: string
  stop: AbortSignal
}

/** Polls one bot until `stop`. False when another process has the lease. */
async function poll(deps: PollingDeps, config: TelegramConfig, context: PollContext): Promise<boolean> {
  const { db, log } = deps
  const isAlone = db.kind === 'pglite'
  const bot = await deps.open(config)
  for (let failures = 0; !context.stop.aborted; ) {
    const lease = await takeLease(db, botKey(config), { ...context, isAlone })
    if (lease === undefined) return false
    try {
      await handleNext(deps, config, bot, lease, context)
      failures = 0
    } catch (error) {
      if (context.stop.aborted) break
      if (!(error instanceof TelegramError)) throw error
      // Logged once for each outage.
      if (failures === 0)
        log.warn({ code: error.code, reason: error.message }, 'no commands from Telegram: trying again')
      failures += 1
      await sleep(delayAfter(error, failures) * 1000, undefined, { signal: context.stop }).catch(() => {})
    }
  }
  await releaseLease(db, context.claim)
  return true
}

function delayAfter({ code, retryAfterSeconds }: TelegramError, failures: number): number {
  // A longer delay would lose the lease.
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, maxDelaySeconds)
  if (code === 409) return conflictDelaySeconds
  return code === 401 || code === 404 ? maxDelaySeconds : Math.min(2 ** (failures - 1), maxDelaySeconds)
}

async function handleNext(
  deps: PollingDeps,
  config: TelegramConfig,
  bot: Bot,
  lease: Lease,
  { claim, stop }: PollContext
): Promise<void> {
  const updates = await bot.updates(lease.next_update_id, stop)
  const fresh = updates.filter(({ update_id }) => update_id >= lease.next_update_id)
  // A server that repeats confirmed updates at once must not be polled in a tight loop.
  if (fresh.length < updates.length && fresh.length === 0) await sleep(1_000, undefined, { signal: stop })
  for (const update of fresh) {
    // The current settings decide who may send commands, even before this poll ends.
    if (stop.aborted || !isSameConfig(config, deps.config())) return
    const holdsLease = await handle(deps, config, bot, update, { claim, begun: lease.begun_update_id })
    if (!holdsLease) return
  }
}

/** Handles an update. Its answer and its completion are one transaction. False when the lease is lost. */
async function handle(
  deps: PollingDeps,
  config: TelegramConfig,
  bot: Bot,
  update: Update,
  { claim, begun }: { claim: string; begun: number | null }
): Promise<boolean> {
  const { db, outbox, log } = deps
  const id = update.update_id
  const name = botKey(config)
  const read = readUpdate(update, config)
  if (read.kind === 'unauthorized')
    log.info({ update_id: id, chat_id: read.chat }, 'a message from a chat that may not command was ignored')
  const incoming = read.kind === 'command' && (await isForUs(bot, read.incoming)) ? read.incoming : null
  const command = incoming === null ? undefined : deps.commandOf(incoming)
  if (command?.isDecision && begun !== id && !(await beginUpdate(db, name, claim, id))) return false
  const notice = incoming === null ? null : await runCommand(deps, incoming, command, begun === id)
  const holdsLease = await db.transaction(async tx => {
    if (!(await endUpdate(tx, name, claim, id))) return false
    if (notice !== null && incoming !== null)
      await outbox.answer(tx, channelName, `update:${name}:${id}`, notice, incoming.message_id)
    return true
  })
  if (incoming?.button != null && notice !== null) answerCallback(bot, incoming.button, notice.title, log)
  return holdsLease
}

const usernames = new WeakMap<Bot, string>()

/** In a group a command may be for another bot. @throws TelegramError while the name of this one is not known */
async function isForUs(bot: Bot, { addressee }: Incoming): Promise<boolean> {
  if (addressee === null) return true
  const username = usernames.get(bot) ?? (await bot.username())
  usernames.set(bot, username)
  return username.toLowerCase() === addressee.toLowerCase()
}

async function runCommand(
  { log }: PollingDeps,
  incoming: Incoming,
  command: PreparedCommand | undefined,
  wasBegun: boolean
): Promise<Notice | null> {
  if (command === undefined) {
    const isAddressed = incoming.isPrivate || incoming.addressee !== null || incoming.button !== null
    return isAddressed ? answer('There is no such command: /help lists all commands.') : null
  }
  if (command.isDecision && wasBegun) {
    return answer('The service stopped while it ran this command. Look whether it was done, and give it again if not.')
  }
  try {
    return await command.run()
  } catch (error) {
    if (error instanceof AppError) return answer(errorText(error, command.form))
    log.error({ err: error, command: incoming.command, actor: incoming.actor }, 'a command from the chat failed')
    return answer('That failed in the service; its log says why. Look whether it was done before you give it again.')
  }
}

function errorText(error: AppError, form: string): string {
  const { message, fields } = error
  const faults = Object.entries(fields).map(([field, fault]) => `${field.replaceAll('_', ' ')} ${fault}`)
  if (faults.length === 0) return message
  const details = `${faults.join('; ')}.`
  // "See errors" is for JSON answers.
  return error instanceof InputError && !error.hasOwnMessage
    ? `${details.charAt(0).toUpperCase()}${details.slice(1)} Write ${form}.`
    : `${message} ${details}`
}

/** Optional: the answer itself is a message. */
function answerCallback(bot: Bot, button: string, text: string, log: Log): void {
  bot
    .answerButton(button, text)
    .catch(error => log.debug({ reason: messageOf(error) }, 'a pressed button was not answered'))
}
