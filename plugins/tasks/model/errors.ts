import { AppError } from '#core'

/** The model endpoint answered with an error that no retry corrects. The message names the setting to look at. */
export class ModelError extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('INTERNAL_ERROR', message, options)
  }
}

/** A failure worth another try; `retryAfterMs` is the wait the server asked for. Stays inside the client. */
export class TransientError extends Error {
  readonly retryAfterMs: number | null

  constructor(message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TransientError'
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** The server does not take the request's format (400 or 422): the basic format may pass. */
export class UnsupportedFormatError extends ModelError {}

const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** A refusal as it came. */
interface ModelRefusal {
  status: number
  /** The server's own words, made safe: for the log alone, since clients read the message in a task. */
  words: string
  /** Why a stored key was not sent. */
  keyFault: string | null
  retryAfterMs: number | null
}

/** What a status other than 2xx means, and which setting to change. */
export function errorOfStatus({ status, words, keyFault, retryAfterMs }: ModelRefusal): Error {
  const said = `The model endpoint answered ${status}`
  const options = words === '' ? {} : { cause: new Error(`It said: ${words}`) }
  if (status >= 500 || transientStatuses.has(status)) return new TransientError(said, { retryAfterMs, ...options })
  if (status === 400 || status === 422)
    return new UnsupportedFormatError(`${said}: check llm_writer_model, llm_critic_model.`, options)
  if (status === 401 || status === 403)
    return new ModelError(`${said}: ${keyFault ?? 'set llm_api_key to a key it accepts.'}`, options)
  if (status === 404) {
    return new ModelError(
      `${said}: check llm_base_url, and that it has the model of llm_writer_model, llm_critic_model.`,
      options
    )
  }
  if (status === 413)
    return new ModelError(`${said}: the prompt is too long for it; choose a model with a larger context.`, options)
  return new ModelError(`${said}: check llm_base_url.`, options)
}
