import type { ErrorCode } from './error-codes.ts'

/** Field name (dotted path, `body` for the whole) to what is wrong with it. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * `remedy`: what to do, apart from what happened; the message has it after a colon. `detail`: the message for the operator,
 * with what must not reach an HTTP client, such as the address of the database.
 */
interface AppErrorOptions {
  cause?: unknown
  remedy?: string
  detail?: string
}

/** A failure the caller can do something about. `message` says what happened, with which value, and what to do. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors
  /** What happened, where `remedy` says the rest of the message. */
  readonly summary: string
  readonly remedy: string | undefined
  /** What commands and the log say in the message's place. */
  readonly detail: string | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions & { fields?: FieldErrors } = {}) {
    const { remedy, cause, detail } = options
    super(remedy === undefined ? message : `${message}: ${remedy}`, cause === undefined ? undefined : { cause })
    this.summary = message
    this.remedy = remedy
    this.detail = detail
    this.name = new.target.name
    this.code = code
    this.fields = options.fields ?? {}
  }
}

/** The caller's input is at fault; `fields` names every fault at once. */
export class InputError extends AppError {
  /** False where the message says nothing that `fields` do not say. */
  readonly hasOwnMessage: boolean

  constructor(fields: FieldErrors, message?: string) {
    super('VALIDATION_ERROR', message ?? 'The request is not valid: see errors.', { fields })
    this.hasOwnMessage = message !== undefined
  }
}

/** No credential, or one that is not accepted. */
export class AuthError extends AppError {
  constructor(message = 'A valid bearer token is required.') {
    super('UNAUTHORIZED', message)
  }
}

export class NotFoundError extends AppError {
  constructor(message: string) {
    super('NOT_FOUND', message)
  }
}

/** The state of the thing does not allow the change; nothing was changed. */
export class ConflictError extends AppError {
  constructor(message: string, code: ErrorCode = 'CONFLICT', options: AppErrorOptions = {}) {
    super(code, message, options)
  }
}

/** A part the service depends on does not answer right now; trying again later may succeed. */
export class UnavailableError extends AppError {
  constructor(message: string, options: AppErrorOptions = {}) {
    super('SERVICE_UNAVAILABLE', message, options)
  }
}
