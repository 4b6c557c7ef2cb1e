import type { Delivery, Job, Subscription, Told } from '../contract/plugin.ts'
import type { Tx } from '../db/db.ts'

/** What works one queue: a kind of job, or one plugin's subscription to an event. Durations are in seconds. */
export interface Kind {
  readonly queue: string
  readonly plugin: string
  readonly concurrency: number
  readonly retries: number
  readonly retryDelay: number
  readonly timeout: number
  readonly endless?: boolean
  readonly cron?: string
  handle(data: unknown, delivery: Delivery): Promise<void>
  /** Of a subscriber that takes many events in one call. */
  readonly handleMany?: ((events: readonly Told<object>[], signal: AbortSignal) => Promise<void>) | undefined
  onExhausted?(data: unknown, error: Error): Promise<void>
  onRestart?(tx: Tx, data: unknown, actor: string): Promise<string | null>
}

/** The kinds of job and the subscribers known to this process. */
export interface Kinds {
  register(plugin: string, jobs: readonly Job[], subscriptions: readonly Subscription[]): void
  all(): Kind[]
  find(queue: string): Kind | undefined
  /** The queues of an event's subscribers. */
  subscribersOf(event: string): readonly string[]
}

export function createKinds(): Kinds {
  const kinds = new Map<string, Kind>()
  const subscribers = new Map<string, string[]>()
  const add = (kind: Kind, again: (first: Kind) => string) => {
    const first = kinds.get(kind.queue)
    if (first !== undefined) throw new TypeError(again(first))
    kinds.set(kind.queue, kind)
  }
  return {
    register: (plugin, jobs, subscriptions) => {
      for (const job of jobs) {
        const message = (first: Kind) =>
          `The job ${job.type} of ${plugin} is already declared by ${first.plugin}: name it otherwise.`
        add(kindOfJob(plugin, job), message)
      }
      for (const subscription of subscriptions) {
        const kind = kindOfSubscription(plugin, subscription)
        add(kind, () => `The plugin ${plugin} subscribes to ${subscription.event} twice: do both in one handler.`)
        subscribers.set(subscription.event, [...(subscribers.get(subscription.event) ?? []), kind.queue])
      }
    },
    all: () => [...kinds.values()],
    find: queue => kinds.get(queue),
    subscribersOf: event => subscribers.get(event) ?? []
  }
}

const defaults = { concurrency: 1, retries: 5, retryDelay: 2, timeout: 900 }

function kindOfJob(plugin: string, job: Job): Kind {
  // The registry holds every kind's own data type; what a queue holds is what its kind enqueued.
  const { type, options, handle } = job as unknown as { type: string; options: Partial<Kind>; handle: Kind['handle'] }
  return { ...defaults, ...options, queue: type, plugin, handle }
}

/** A subscriber waits for others (a mail server, a frontend) more often than a job: 8 retries are a quarter of an hour. */
function kindOfSubscription(plugin: string, subscription: Subscription): Kind {
  const handle = subscription.handle as Kind['handle']
  const handleMany = subscription.handleMany as Kind['handleMany']
  return { ...defaults, retries: 8, queue: `${subscription.event}/${plugin}`, plugin, handle, handleMany }
}
