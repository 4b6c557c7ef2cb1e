/** Field name (dotted path, `body` for the whole) to what is wrong with it. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Every `error_code` the service answers with: its HTTP status and the CLI's exit code.
 * `docs/errors.md` lists them all, and a test compares.
 */
export const errorCodes = {
  VALIDATION_ERROR: { status: 400, exit: 2 },
  UNAUTHORIZED: { status: 401, exit: 1 },
  INSUFFICIENT_SCOPE: { status: 403, exit: 1 },
  NOT_FOUND: { status: 404, exit: 1 },
  METHOD_NOT_ALLOWED: { status: 405, exit: 1 },
  CONFLICT: { status: 409, exit: 1 },
  AMBIGUOUS_ID: { status: 409, exit: 2 },
  IDEMPOTENCY_KEY_REUSED: { status: 409, exit: 1 },
  IDEMPOTENCY_KEY_IN_USE: { status: 409, exit: 1 },
  IDEMPOTENCY_ANSWER_LOST: { status: 409, exit: 1 },
  TASK_ALREADY_REJECTED: { status: 409, exit: 1 },
  TASK_IN_PROGRESS: { status: 409, exit: 1 },
  TOPIC_QUEUE_FULL: { status: 409, exit: 1 },
  DUPLICATE_TITLE: { status: 409, exit: 1 },
  DUPLICATE_TOPIC: { status: 409, exit: 1 },
  DUPLICATE_CONTENT: { status: 409, exit: 1 },
  NICHE_REQUIRED: { status: 409, exit: 1 },
  CONTENT_CHANGED: { status: 409, exit: 1 },
  PRECONDITION_FAILED: { status: 412, exit: 1 },
  PAYLOAD_TOO_LARGE: { status: 413, exit: 1 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, exit: 1 },
  RANGE_NOT_SATISFIABLE: { status: 416, exit: 1 },
  EXPECTATION_FAILED: { status: 417, exit: 1 },
  RATE_LIMITED: { status: 429, exit: 1 },
  INTERNAL_ERROR: { status: 500, exit: 1 },
  SERVICE_UNAVAILABLE: { status: 503, exit: 1 }
} as const

export type ErrorCode = keyof typeof errorCodes

/**
 * `remedy`: what to do, apart from what happened; the message has it after a colon. `detail`: the message for the operator,
 * with what must not reach an HTTP client, such as the address of the database.
 */
export interface AppErrorOptions {
  cause?: unknown
  remedy?: string
  detail?: string
}

/** A failure the caller can do something about. `message` says what happened, with which value, and what to do. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors
  /** What happened, where `remedy` says the rest of the message. */
  readonly found: string
  readonly remedy: string | undefined
  /** What commands and the log say in the message's place. */
  readonly detail: string | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions & { fields?: FieldErrors } = {}) {
    const { remedy, cause, detail } = options
    super(remedy === undefined ? message : `${message}: ${remedy}`, cause === undefined ? undefined : { cause })
    this.found = message
    this.remedy = remedy
    this.detail = detail
    this.name = new.target.name
    this.code = code
    this.fields = options.fields ?? {}
  }
}

/** The caller's input is at fault; `fields` names every fault at once. */
export class InputError extends AppError {
  constructor(fields: FieldErrors, message = 'The request is not valid: see errors.') {
    super('VALIDATION_ERROR', message, { fields })
  }
}

/** No credential, or one that is not accepted. */
export class AuthError extends AppError {
  constructor(message = 'A valid bearer token is required: get one from POST /token.') {
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
