interface TargetErrorOptions {
  /** Null when there was no answer. */
  status?: number | null
  retryAfterSeconds?: number | null
  /** False when other items may succeed: the request was refused for what it held. */
  isTargetDown?: boolean
}

/** A target was not notified. The text is stored and shown, so it must hold neither secrets nor what another server answered. */
export class TargetError extends Error {
  readonly status: number | null
  /** How long the target asks to wait, in seconds. */
  readonly retryAfterSeconds: number | null
  readonly isTargetDown: boolean

  constructor(
    message: string,
    { status = null, retryAfterSeconds = null, isTargetDown = true }: TargetErrorOptions = {}
  ) {
    super(message)
    this.name = 'TargetError'
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.isTargetDown = isTargetDown
  }
}
