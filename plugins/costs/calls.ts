/** What is asked for: `chat` of writers and critics, and so on. */
export const callKinds = ['chat', 'embedding', 'speech', 'image'] as const
export type CallKind = (typeof callKinds)[number]

/** What a call uses. What does not apply is absent. */
export interface CallUsage {
  input_tokens?: number
  output_tokens?: number
  characters?: number
  /** Of sound. */
  seconds?: number
  images?: number
}

/** A request that somebody is paid for. */
export interface PaidCall {
  kind: CallKind
  model: string
  /** Of a picture, such as `1536x1024`: it may have a price of its own. */
  size?: string
  /** The most it can use. For a chat model without `output_tokens`, which follow from its price. */
  worst: CallUsage
}

/** What a call is made for. */
export interface Purpose {
  task_id?: string
  /** Of the task. */
  attempt?: number
  /** The stage or the rail, such as `draft` or `critic`; of media the kind of file. */
  part?: string
  post_id?: string
  niche_slug?: string | null
}

/** Reports what the request is charged for. When it reports nothing, nobody knows, and the worst case counts. */
export interface Bill {
  /** The answer, and what the server says it used. */
  used(usage: CallUsage): void
  /** Nothing: it was not sent, or it was refused. */
  nothing(): void
}

/** Makes paid requests. */
export interface Payments {
  /**
   * Makes a paid request. Its worst case is reserved first, in every budget it counts in; what it used is settled after.
   * @throws BudgetError when it does not fit, or has no price: then nothing was sent. Otherwise what the request throws
   */
  pay<T>(call: PaidCall, request: (bill: Bill) => Promise<T>): Promise<T>
  /**
   * Runs the work of a driver that may cost money. Its worst case is reserved first. Settled are the requests that the driver
   * pays itself; without any, `usageOf` the result; without that, the worst case.
   * @throws BudgetError as `pay`; otherwise what the work throws, or the reason of the aborted signal
   */
  meter<T>(call: PaidCall, work: () => Promise<T>, options: MeterOptions<T>): Promise<T>
}

interface MeterOptions<T> {
  /** The driver is not waited for after its abort. */
  signal: AbortSignal
  usageOf?: (result: T) => CallUsage | Promise<CallUsage>
}

const unpaid: Bill = { used: () => {}, nothing: () => {} }

/** The same where the plugin may be disabled: then the request is made, and not counted. */
export const payIfCounted = <T>(
  costs: Pick<Payments, 'pay'> | undefined,
  call: PaidCall,
  request: (bill: Bill) => Promise<T>
): Promise<T> => costs?.pay(call, request) ?? request(unpaid)
