import type { BatchHandler, Delivery, EventHandler, Job, JobOptions, Subscription } from '../contract/jobs.ts'

/** What works one queue: a kind of job, or one plugin's subscription to an event. */
export interface QueueHandler extends JobOptions<unknown> {
  readonly queue: string
  readonly plugin: string
  readonly concurrency: number
  readonly retries: number
  readonly retryDelaySeconds: number
  readonly timeoutSeconds: number
  readonly maxDeaths: number
  handle(data: unknown, delivery: Delivery): Promise<void>
  /** Of a subscriber that takes several events in one call. */
  readonly batch?: { readonly maxSize: number; readonly handle: BatchHandler<unknown> }
}

/** The kinds of job and the subscribers known to this process. */
export interface QueueHandlers {
  register(plugin: string, jobs: readonly Job[], subscriptions: readonly Subscription[]): void
  all(): QueueHandler[]
  find(queue: string): QueueHandler | undefined
  /** An event's subscribers. */
  subscribersOf(event: string): readonly QueueHandler[]
}

export function createQueueHandlers(): QueueHandlers {
  const handlers = new Map<string, QueueHandler>()
  const subscribers = new Map<string, QueueHandler[]>()
  const add = (handler: QueueHandler, fault: (first: QueueHandler) => string) => {
    const first = handlers.get(handler.queue)
    if (first !== undefined) throw new TypeError(fault(first))
    handlers.set(handler.queue, handler)
  }
  const addJob = (plugin: string, job: Job) =>
    add(
      handlerOfJob(plugin, job),
      first => `The job ${job.type} of ${plugin} is already declared by ${first.plugin}: name it otherwise.`
    )
  const addSubscription = (plugin: string, { event, ...subscription }: Subscription) => {
    const handler = handlerOfSubscription(plugin, { event, ...subscription })
    add(handler, () => `The plugin ${plugin} subscribes to ${event} twice: do both in one handler.`)
    subscribers.set(event, [...(subscribers.get(event) ?? []), handler])
  }
  return {
    register: (plugin, jobs, subscriptions) => {
      for (const job of jobs) addJob(plugin, job)
      for (const subscription of subscriptions) addSubscription(plugin, subscription)
    },
    all: () => [...handlers.values()],
    find: queue => handlers.get(queue),
    subscribersOf: event => subscribers.get(event) ?? []
  }
}

/** An option that is undefined has its default, too. */
const withDefaults = ({
  concurrency = 1,
  retries = 5,
  retryDelaySeconds = 2,
  timeoutSeconds = 900,
  maxDeaths = 2,
  ...others
}: JobOptions<unknown>) => ({ ...others, concurrency, retries, retryDelaySeconds, timeoutSeconds, maxDeaths })

function handlerOfJob(plugin: string, job: Job): QueueHandler {
  // What a queue holds is what its kind queued: the data has the type that the handler takes.
  const { type, options, handle } = job as Job & Pick<QueueHandler, 'handle'> & { options: JobOptions<unknown> }
  return { ...withDefaults(options), queue: type, plugin, handle }
}

/** A subscriber waits for others (a mail server, a frontend) more often than a job: 8 retries are a quarter of an hour. */
function handlerOfSubscription(plugin: string, { event, maxBatch, handle }: Subscription): QueueHandler {
  const handler = { ...withDefaults({ retries: 8 }), queue: `${event}/${plugin}`, plugin }
  if (maxBatch === undefined) return { ...handler, handle: handle as EventHandler<unknown> }
  const batch = { maxSize: maxBatch, handle: handle as BatchHandler<unknown> }
  return { ...handler, batch, handle: (payload, delivery) => batch.handle([{ id: delivery.id, payload }], delivery) }
}
