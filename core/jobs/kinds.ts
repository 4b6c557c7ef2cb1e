import type { BatchHandler, Delivery, EventHandler, Job, JobOptions, Subscription } from '../contract/jobs.ts'

/** What works one queue: a kind of job, or one plugin's subscription to an event. */
export interface Kind extends JobOptions<unknown> {
  readonly queue: string
  readonly plugin: string
  readonly concurrency: number
  readonly retries: number
  readonly retryDelay: number
  readonly timeout: number
  handle(data: unknown, delivery: Delivery): Promise<void>
  /** Of a subscriber that takes several events in one call. */
  readonly batch?: { readonly size: number; readonly handle: BatchHandler<unknown> }
}

/** The kinds of job and the subscribers known to this process. */
export interface Kinds {
  register(plugin: string, jobs: readonly Job[], subscriptions: readonly Subscription[]): void
  all(): Kind[]
  find(queue: string): Kind | undefined
  /** An event's subscribers. */
  subscribersOf(event: string): readonly Kind[]
}

export function createKinds(): Kinds {
  const kinds = new Map<string, Kind>()
  const subscribers = new Map<string, Kind[]>()
  const add = (kind: Kind, fault: (first: Kind) => string) => {
    const first = kinds.get(kind.queue)
    if (first !== undefined) throw new TypeError(fault(first))
    kinds.set(kind.queue, kind)
  }
  const addJob = (plugin: string, job: Job) =>
    add(
      kindOfJob(plugin, job),
      first => `The job ${job.type} of ${plugin} is already declared by ${first.plugin}: name it otherwise.`
    )
  const addSubscription = (plugin: string, { event, ...subscription }: Subscription) => {
    const kind = kindOfSubscription(plugin, { event, ...subscription })
    add(kind, () => `The plugin ${plugin} subscribes to ${event} twice: do both in one handler.`)
    subscribers.set(event, [...(subscribers.get(event) ?? []), kind])
  }
  return {
    register: (plugin, jobs, subscriptions) => {
      for (const job of jobs) addJob(plugin, job)
      for (const subscription of subscriptions) addSubscription(plugin, subscription)
    },
    all: () => [...kinds.values()],
    find: queue => kinds.get(queue),
    subscribersOf: event => subscribers.get(event) ?? []
  }
}

const defaults = { concurrency: 1, retries: 5, retryDelay: 2, timeout: 900 }

function kindOfJob(plugin: string, job: Job): Kind {
  // What a queue holds is what its kind queued: the data has the type that the handler takes.
  const { type, options, handle } = job as Job & Pick<Kind, 'handle'> & { options: JobOptions<unknown> }
  return { ...defaults, ...options, queue: type, plugin, handle }
}

/** A subscriber waits for others (a mail server, a frontend) more often than a job: 8 retries are a quarter of an hour. */
function kindOfSubscription(plugin: string, { event, batch: size, handle }: Subscription): Kind {
  const kind = { ...defaults, retries: 8, queue: `${event}/${plugin}`, plugin }
  if (size === undefined) return { ...kind, handle: handle as EventHandler<unknown> }
  const batch = { size, handle: handle as BatchHandler<unknown> }
  return { ...kind, batch, handle: (payload, delivery) => batch.handle([{ id: delivery.id, payload }], delivery) }
}
