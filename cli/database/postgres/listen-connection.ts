import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Listener, OnNotify } from '../../../core/contract/database.ts'
import { createSerial } from '../../../core/db/serial.ts'
import { toUnavailable } from '../faults.ts'
import type { DbLog } from '../session/session.ts'

const heartbeatMs = 400
/** How old the last proof may be. Two beats and a slow answer fit. */
const maxHeartbeatAgeMs = 1_000
/** A server that has not answered for so long counts as gone, and the connection is opened again. */
const answerTimeoutMs = 5_000
const minRetryMs = 100
const maxRetryMs = 2_000

interface ChannelSubscription {
  channel: string
  onNotify: OnNotify
  onGap: () => void
}

interface ListenConnection {
  listen(channel: string, onNotify: OnNotify, onGap: () => void): Promise<Listener>
  close(): Promise<void>
}

/** One connection that LISTENs for every subscription of the process; opened by the first, closed with the database. */
export function createListenConnection(config: pg.ClientConfig, log?: DbLog): ListenConnection {
  const connection = new ReconnectingListener(config, log)
  return {
    listen: async (channel, onNotify, onGap) => {
      const subscription = { channel, onNotify, onGap }
      await connection.add(subscription)
      return { isCurrent: () => connection.isCurrent(), close: () => connection.remove(subscription) }
    },
    close: () => connection.close()
  }
}

class ReconnectingListener {
  readonly #config: pg.ClientConfig
  readonly #log: DbLog | undefined
  readonly #subscriptions = new Set<ChannelSubscription>()
  readonly #closing = new AbortController()
  /** A heartbeat and a LISTEN may meet; a client takes one statement at once. */
  readonly #serially = createSerial()
  #client: pg.Client | undefined
  #started: Promise<void> | undefined
  #supervision: Promise<void> | undefined
  /** When the last heartbeat that was answered had been sent: all committed before then has arrived. */
  #provenAt = Number.NEGATIVE_INFINITY

  constructor(config: pg.ClientConfig, log: DbLog | undefined) {
    this.#config = config
    this.#log = log
  }

  isCurrent(): boolean {
    return performance.now() - this.#provenAt <= maxHeartbeatAgeMs
  }

  async add(subscription: ChannelSubscription): Promise<void> {
    this.#started ??= this.#start()
    try {
      await this.#started
    } catch (error) {
      this.#started = undefined
      throw toUnavailable(error)
    }
    this.#subscriptions.add(subscription)
    await this.#send(`listen ${pg.escapeIdentifier(subscription.channel)}`)
  }

  async remove(subscription: ChannelSubscription): Promise<void> {
    this.#subscriptions.delete(subscription)
    if (this.#channels().has(subscription.channel)) return
    await this.#send(`unlisten ${pg.escapeIdentifier(subscription.channel)}`)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#subscriptions.clear()
    await this.#started?.catch(() => {})
    await this.#supervision
    this.#provenAt = Number.NEGATIVE_INFINITY
    await this.#client?.end()
  }

  #channels(): Set<string> {
    return new Set([...this.#subscriptions].map(({ channel }) => channel))
  }

  async #start(): Promise<void> {
    await this.#connect()
    this.#provenAt = performance.now()
    this.#supervision = this.#supervise()
  }

  /** A statement on the live connection. A lost one is no failure: after reconnecting all channels are listened to again. */
  async #send(sql: string): Promise<void> {
    try {
      await this.#serially(async () => this.#client?.query(sql))
    } catch (error) {
      if (toUnavailable(error) === error) throw error
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#config, query_timeout: answerTimeoutMs })
    client.on('error', () => {}) // the heartbeat fails, and reports it
    client.on('notification', ({ channel, payload = '' }) => this.#deliver(channel, payload))
    await client.connect()
    // Before the loop: a subscription added while it runs sends its own LISTEN.
    this.#client = client
    for (const channel of this.#channels()) {
      await this.#serially(() => client.query(`listen ${pg.escapeIdentifier(channel)}`))
    }
  }

  #deliver(channel: string, payload: string): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.channel === channel) subscription.onNotify(payload)
    }
  }

  async #supervise(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#beat()
      } catch (error) {
        if (this.#closing.signal.aborted) return
        this.#log?.warn({ err: error }, 'the connection that listens was lost: connecting again')
        await this.#reconnect()
      }
    }
  }

  async #beat(): Promise<void> {
    await sleep(heartbeatMs, undefined, { signal: this.#closing.signal })
    const sentAt = performance.now()
    await this.#serially(async () => this.#client?.query('select 1'))
    this.#provenAt = sentAt
  }

  async #reconnect(): Promise<void> {
    this.#provenAt = Number.NEGATIVE_INFINITY
    for (let waitMs = minRetryMs; !this.#closing.signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      this.#client?.end().catch(() => {})
      this.#client = undefined
      try {
        await this.#connect()
        this.#reportGap()
        return
      } catch {
        await sleep(waitMs, undefined, { signal: this.#closing.signal }).catch(() => {})
      }
    }
  }

  /** Only after everything derived from the database was dropped may the connection count as current again. */
  #reportGap(): void {
    this.#log?.info({ subscriptions: this.#subscriptions.size }, 'the connection that listens is back')
    for (const { onGap } of [...this.#subscriptions]) onGap()
    this.#provenAt = performance.now()
  }
}
