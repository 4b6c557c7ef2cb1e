import type { FastifyPluginAsync } from 'fastify'
import type { TSchema } from 'typebox'
import type { Log } from '../log.ts'
import type { Changes } from './changes.ts'
import type { Check } from './check.ts'
import type { Commands, SingleCommand } from './command.ts'
import type { Db, Tx } from './database.ts'
import type { ErrorDefinitions } from './error-codes.ts'
import type { GraphqlModule } from './graphql.ts'
import type { Installation } from './installation.ts'
import type {
  BatchHandler,
  Delivery,
  Emit,
  Enqueue,
  EventHandler,
  EventType,
  Job,
  JobOptions,
  JobType,
  Subscription
} from './jobs.ts'
import type { Metric } from './metric.ts'
import type { Needs, NeedsOf, Provides, ServicesOf } from './services.ts'
import type { Setting, SettingMap, Settings } from './settings.ts'

export { optional, service } from './services.ts'

/** The version of this contract. A plugin states the one it was written for; boot refuses any other. */
export const CONTRACT = 1

/** A plugin: a manifest that is read without running anything, and `setup`, which wires and does no I/O. */
export interface PluginDefinition<N extends Needs, P extends Provides, S extends SettingMap> {
  /** In kebab case; also the namespace of its migrations. */
  readonly name: string
  readonly contract: number
  /** What it is, in a line. */
  readonly describe: string
  /** The services it uses, by the names it gives them. They decide the order of the start. */
  readonly needs?: N
  /** The services it promises. */
  readonly provides?: P
  /** By key: snake_case, unique among all plugins. */
  readonly settings?: S
  /** The error codes it answers with, beside those of the kernel and of the plugins it needs. */
  readonly errors?: ErrorDefinitions
  /**
   * Folder of its own migrations: `new URL('./migrations/', import.meta.url)`, or an absolute path. They are named and
   * written like the service's, run after those of the plugins it needs, and roll back alone.
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

/** What `setup` is given. */
export interface Context<N extends Needs, S extends SettingMap> {
  readonly needs: NeedsOf<N>
  readonly settings: Settings<S>
  readonly db: Db
  readonly emit: Emit
  readonly enqueue: Enqueue
  /** Invalidates what is cached, in every process. */
  readonly changes: Changes
  readonly installation: Installation
  readonly log: Log
  readonly now: () => Date
}

/** What `setup` returns. Everything is optional but the services it promised. */
export interface Contribution<P extends Provides> {
  readonly services: ServicesOf<P>
  readonly routes?: FastifyPluginAsync
  /** Its part of the GraphQL schema, loaded by a server that has the plugin `graphql`, and by nothing else. */
  readonly graphql?: () => Promise<GraphqlModule>
  /** Groups of commands, or commands without a group, by name. */
  readonly commands?: Readonly<Record<string, Commands | SingleCommand>>
  readonly jobs?: readonly Job[]
  readonly subscriptions?: readonly Subscription[]
  /** What `galley doctor` looks at beside its own: `{ name: 'model endpoint', run: async () => ok('it answers') }`. */
  readonly checks?: readonly Check[]
  /** Figures for `GET /metrics`. */
  readonly metrics?: readonly Metric[]
  /** Asked at every `GET /health`: false answers 503 there, so that what watches the service takes notice. */
  isReady?(): Promise<boolean>
  /**
   * Called in the transaction of a restore, once the backup's rows are there. A backup may come from anywhere: derive
   * again from the other columns whatever a browser or a program runs, such as HTML. What it throws undoes the restore.
   */
  onRestore?(tx: Tx, signal: AbortSignal): Promise<void>
}

/** Declares a setting with its bounds: `setting(Type.Integer({ minimum: 1, maximum: 600 }), { default: 30, describe: '…' })`. */
export const setting = <S extends TSchema>(schema: S, options: Omit<Setting<S>, 'schema'>): Setting<S> => ({
  schema,
  ...options
})

/** Names a past-tense fact: `event<{ post_id: string }>('posts.published')`. Events are for telling; nobody can veto one. */
export const event = <Payload>(id: string): EventType<Payload> => ({ id })

/**
 * Handles an event, at least once, after the transaction that emitted it committed. A handler must be idempotent. One that
 * keeps throwing is retried with backoff for a quarter of an hour, then it is a dead letter.
 * With `{ maxBatch: 250 }` it takes up to so many events that were emitted together in one call, in their order. When that call
 * fails, the events come again in smaller batches, then each alone with its own retries: one that cannot be handled holds
 * up no other.
 */
export function on<Payload>(type: EventType<Payload>, handle: EventHandler<Payload>): Subscription
export function on<Payload>(
  type: EventType<Payload>,
  handle: BatchHandler<Payload>,
  options: { maxBatch: number }
): Subscription
export function on(
  type: EventType<unknown>,
  handle: Subscription['handle'],
  options?: { maxBatch: number }
): Subscription {
  return { event: type.id, handle, ...options }
}

/** Names a kind of durable job: `jobType<{ task_id: string }>('tasks.draft')`. */
export const jobType = <Data>(id: string): JobType<Data> => ({ id })

/** Declares what runs a kind of job. It runs at least once: make each step a compare-and-swap on its own row. */
export const job = <Data>(
  type: JobType<Data>,
  handle: (data: Data, delivery: Delivery) => Promise<void>,
  options: JobOptions<Data> = {}
): Job => ({ type: type.id, options, handle })
