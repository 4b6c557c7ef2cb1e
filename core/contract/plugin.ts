import type { FastifyPluginAsync } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Db, Tx } from '../db/db.ts'
import type { Check } from '../health/check.ts'
import type { Metric } from '../health/metric.ts'
import type { Log } from '../log.ts'
import type { CommandGroup } from './command.ts'
import type { GraphqlPart } from './graphql.ts'

/** The version of this contract. A plugin states the one it was written for; boot refuses any other. */
export const CONTRACT = 1

/** Names a service and carries its type. Tokens compare by `id`. */
export interface Service<T> {
  readonly id: string
  readonly type?: T
}
/** A need that may go unmet: it arrives as `T | undefined`. */
export interface Optional<T> {
  readonly id: string
  readonly optional: true
  readonly type?: T
}
/** Names a past-tense fact and carries its payload's type. Payloads are JSON. */
export interface EventType<Payload> {
  readonly id: string
  readonly payload?: Payload
}
/** Names a kind of durable job and carries the type of its data. Data is JSON. */
export interface JobType<Data> {
  readonly id: string
  readonly data?: Data
}

/** Declares a service: `export const PostsService = service<Posts>('posts')`. */
export const service = <T>(id: string): Service<T> => ({ id })
/** Marks a need as one the plugin can do without. */
export const optional = <T>(token: Service<T>): Optional<T> => ({ id: token.id, optional: true })
/** Declares an event: `event<{ post_id: string }>('posts.published')`. */
export const event = <Payload>(id: string): EventType<Payload> => ({ id })
/** Declares a kind of job: `jobType<{ task_id: string }>('tasks.draft')`. */
export const jobType = <Data>(id: string): JobType<Data> => ({ id })

/** One runtime setting. `schema` bounds it; the stored text is parsed to the schema's type. */
export interface Setting<S extends TSchema = TSchema> {
  readonly schema: S
  readonly default: Static<S>
  readonly describe: string
  /** Stored encrypted, shown as `********`. Only for strings. */
  readonly secret?: boolean
  /**
   * Of a secret: the setting (of the same plugin) that holds the address it is sent to. It goes only to the host it was set
   * for: once that address has another scheme, host or port, the secret reads as its default until it is set again.
   */
  readonly sentTo?: string
  /**
   * It is about the operator's machine (a path, an address, what is trusted): over HTTP a change needs the scope `api:admin`.
   * So do settings of the category `machine`, and every one that is named by a `sentTo`.
   */
  readonly machine?: boolean
  /** Groups the setting in listings; default: the plugin's name, `secrets` for a secret. */
  readonly category?: string
}
/** Declares a setting with its bounds: `setting(Type.Integer({ minimum: 1, maximum: 600 }), { default: 30, describe: '…' })`. */
export const setting = <S extends TSchema>(schema: S, options: Omit<Setting<S>, 'schema'>): Setting<S> => ({
  schema,
  ...options
})

/** Told about an event, at least once, after its transaction committed. Must be idempotent; `delivery.id` is stable over retries. */
export interface Subscription {
  readonly event: string
  handle(payload: never, delivery: Delivery): Promise<void>
  /** Only where it takes many events in one call. */
  readonly handleMany?: (events: never, signal: AbortSignal) => Promise<void>
}
export interface Delivery {
  readonly id: string
  readonly attempt: number
  readonly signal: AbortSignal
}
/** Subscribes to an event. A handler that keeps throwing is retried with backoff, then parked; it never vetoes. */
export const on = <Payload>(
  type: EventType<Payload>,
  handle: (payload: Payload, delivery: Delivery) => Promise<void>
): Subscription => ({ event: type.id, handle: handle as Subscription['handle'] })

/** One of the events of a call; `id` as in `Delivery`. */
export interface Told<Payload> {
  readonly id: string
  readonly payload: Payload
}
/**
 * Subscribes to an event and takes up to 250 in a call, for work that costs less in bulk: what `emitMany` told comes together,
 * in its order; what `emit` told, alone. A call that throws, or dies with its process, is no attempt of its events: they are told
 * again, 16 in a call, and where that fails alone, with all their retries: one that cannot be handled neither loses nor holds up
 * the others.
 */
export const onMany = <Payload>(
  type: EventType<Payload>,
  handle: (events: readonly Told<Payload>[], signal: AbortSignal) => Promise<void>
): Subscription => ({
  event: type.id,
  handle: (payload, { id, signal }) => handle([{ id, payload }], signal),
  handleMany: handle as Subscription['handleMany'] & {}
})

/** How a kind of job runs. Durations are in seconds. */
export interface JobOptions<Data> {
  /** Jobs of this kind running at once in one process; default 1. */
  readonly concurrency?: number
  /** Retries after the first attempt, with exponential backoff from `retryDelay`; defaults 5 and 2. */
  readonly retries?: number
  readonly retryDelay?: number
  /** A running attempt is abandoned after this; default 900. A dead process is noticed within 15 s whatever this says. */
  readonly timeout?: number
  /** It goes on until its signal is aborted: a stop hands it back at once and waits for others only. */
  readonly endless?: boolean
  /** Also runs on this cron expression (UTC), with `{}` as data. */
  readonly cron?: string
  /** Called once when the last retry has failed. */
  readonly onExhausted?: (data: Data, error: Error) => Promise<void>
  /**
   * Called when somebody (`actor`) starts a parked job anew, instead of running it again, in the transaction that takes the
   * job away: for a job that is of no use by itself, since `onExhausted` ended what it was for. Answers null when that is
   * taken up again, else why there is nothing to take up.
   */
  readonly onRestart?: (tx: Tx, data: Data, actor: string) => Promise<string | null>
}
/** A kind of job with what it does. Handlers run at least once: make each step a compare-and-swap on its own row. */
export interface Job {
  readonly type: string
  readonly options: JobOptions<never>
  handle(data: never, delivery: Delivery): Promise<void>
}
/** Declares what runs a kind of job. */
export const job = <Data>(
  type: JobType<Data>,
  handle: (data: Data, delivery: Delivery) => Promise<void>,
  options: JobOptions<Data> = {}
): Job => ({ type: type.id, options: options as JobOptions<never>, handle: handle as Job['handle'] })

/** Writes an event into the caller's transaction; it is delivered after commit, and only then. */
export type Emit = <Payload extends object>(tx: Tx, type: EventType<Payload>, payload: Payload) => Promise<void>
/** The same for many events of one kind at once: what changes a hundred things tells of them in one statement. Not told before `startAt`. */
export type EmitMany = <Payload extends object>(
  tx: Tx,
  type: EventType<Payload>,
  payloads: readonly Payload[],
  options?: { startAt?: Date }
) => Promise<void>
/** Tells now what was to be told of a kind of event at a later `startAt`, as soon as the transaction commits. */
export type TellNow = (tx: Tx, type: EventType<unknown>) => Promise<void>
/** Queues a job in the caller's transaction. With `key`, at most one job of the kind with that key waits at a time. */
export type Enqueue = <Data extends object>(
  tx: Tx,
  type: JobType<Data>,
  data: Data,
  options?: { startAt?: Date; key?: string }
) => Promise<void>

/** Tells every process that something derived from the database is out of date. */
export interface Changes {
  /** Marks `topic` as changed: here as soon as `tx` commits, in other processes within a second. */
  touch(tx: Tx, topic: string): Promise<void>
  /** Calls `drop` whenever `topic` changed or a change may have been missed. */
  on(topic: string, drop: () => void): void
  /** False while a change made elsewhere more than a second ago could be unknown here: read through. */
  isCurrent(): boolean
}

/** A plugin's own settings, typed, as they are now: changes arrive within a second without a restart. */
export interface Settings<S extends SettingMap> {
  get<K extends keyof S & string>(key: K): Static<S[K]['schema']>
  /**
   * A secret for a request to `address`. `value` is empty when it was set for another host than that one's, and `fault`
   * then says so, for the message of a request that is refused. Use it wherever the address was not read at the same moment.
   */
  secretFor<K extends keyof S & string>(key: K, address: string): { value: string; fault: string | null }
}

/** The installation a plugin runs in. */
export interface Installation {
  /** `GALLEY_HOME`: a private folder for files that are not in the database. */
  readonly home: string
  readonly version: string
  /** Address readers reach the service at, without a trailing slash: the setting `public_url`, else where the server listens. */
  baseUrl(): string
  /** True while only this machine can reach the service. */
  isLoopback(): boolean
  /** A 32-byte key for signing with one purpose, derived from the installation's secret. */
  signingKey(purpose: string): Uint8Array
}

export type Needs = Record<string, Service<unknown> | Optional<unknown>>
export type Provides = Record<string, Service<unknown>>
export type SettingMap = Record<string, Setting>
type Resolved<Token> = Token extends Optional<infer T> ? T | undefined : Token extends Service<infer T> ? T : never
type NeedOf<N> = {
  readonly [K in keyof N]: N[K] extends { optional: true } ? Resolved<N[K]> : N[K] extends Service<infer T> ? T : never
}
type ServicesOf<P> = { readonly [K in keyof P]: P[K] extends Service<infer T> ? T : never }

/** What `setup` is given. */
export interface Context<N extends Needs, S extends SettingMap> {
  readonly needs: NeedOf<N>
  readonly settings: Settings<S>
  readonly db: Db
  readonly emit: Emit
  readonly emitMany: EmitMany
  readonly tellNow: TellNow
  readonly enqueue: Enqueue
  readonly changes: Changes
  readonly installation: Installation
  readonly log: Log
  readonly now: () => Date
}

/** A group of CLI commands (`galley <group> <command>`), loaded when it is used. */
export interface Commands {
  readonly describe: string
  load(): Promise<CommandGroup>
}

/** What a plugin brings. Everything is optional but the services it promised. */
export interface Contribution<P extends Provides> {
  readonly services: ServicesOf<P>
  readonly routes?: FastifyPluginAsync
  /** Its part of the GraphQL schema, loaded by a server that has the plugin `graphql`, and by nothing else. */
  readonly graphql?: () => Promise<GraphqlPart>
  readonly commands?: Readonly<Record<string, Commands>>
  readonly jobs?: readonly Job[]
  readonly subscriptions?: readonly Subscription[]
  /** What `galley doctor` looks at beside its own: `{ name: 'model endpoint', run: async () => ok('it answers') }`. */
  readonly checks?: readonly Check[]
  /** Figures for `GET /metrics`. */
  readonly metrics?: readonly Metric[]
  /** Asked at every `GET /health`: false answers 503 there, so that what watches the service takes notice. */
  isReady?(): Promise<boolean>
  /**
   * Called when a backup has taken the place of everything, in that transaction: what is made of other columns, and runs
   * somewhere when it lies (HTML in a browser), is made anew. A file that comes from anywhere is data. Whatever it throws, nothing is restored.
   */
  onRestore?(tx: Tx, signal: AbortSignal): Promise<void>
}

/** A plugin: a manifest that can be read without running anything, and `setup`, which wires and does no I/O. */
export interface PluginDefinition<N extends Needs, P extends Provides, S extends SettingMap> {
  readonly name: string
  readonly contract: number
  readonly describe: string
  readonly needs?: N
  readonly provides?: P
  readonly settings?: S
  /**
   * Folder of the plugin's own migrations (`new URL('./migrations/', import.meta.url)`, or an absolute path), named and
   * written like the service's. They run after those of the plugins it needs, and roll back alone.
   */
  readonly migrations?: URL | string
  setup(context: Context<N, S>): Contribution<P>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of plugins holds each one's own needs, promises and settings
export type Plugin = PluginDefinition<any, any, any>
/** Types a plugin's definition; a plugin module exports the result as its default. */
export const definePlugin = <
  N extends Needs = Record<never, never>,
  P extends Provides = Record<never, never>,
  S extends SettingMap = Record<never, never>
>(
  definition: PluginDefinition<N, P, S>
): PluginDefinition<N, P, S> => definition
