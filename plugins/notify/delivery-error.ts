/** `refused`: no retry helps. `not_delivered`: a retry may. `unknown`: it may have arrived. */
export type FailedOutcome = 'refused' | 'not_delivered' | 'unknown'

/** A message was not delivered. The text is stored and shown, so it must not contain secrets. */
export class DeliveryError extends Error {
  readonly outcome: FailedOutcome
  /** How long the service asks to wait, in seconds. */
  readonly retryAfterSeconds: number | null
  /** True when every other message would fail too. */
  readonly isChannelDown: boolean

  constructor(
    outcome: FailedOutcome,
    message: string,
    {
      retryAfterSeconds = null,
      isChannelDown = false
    }: { retryAfterSeconds?: number | null; isChannelDown?: boolean } = {}
  ) {
    super(message)
    this.name = 'DeliveryError'
    this.outcome = outcome
    this.retryAfterSeconds = retryAfterSeconds
    this.isChannelDown = isChannelDown
  }
}
