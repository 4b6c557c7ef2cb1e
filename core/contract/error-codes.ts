/** An `error_code` that a plugin answers with. A command that fails with it ends with the exit status 1. */
export interface ErrorDefinition {
  /** The HTTP status, 400 to 599. */
  readonly status: number
  /** When it is answered, and what to do. */
  readonly describe: string
  /** A message as it may read, for the API document; default: `describe`. */
  readonly message?: string
}
/** Declared codes by name: `TASK_IN_PROGRESS`. */
export type ErrorDefinitions = Readonly<Record<string, ErrorDefinition>>

/** The codes of the kernel. A plugin declares its own. */
export const coreErrors = {
  VALIDATION_ERROR: {
    status: 400,
    describe: 'A body, parameter or header is not as described; correct the fields that `errors` names.',
    message: 'The request is not valid: see errors.'
  },
  UNAUTHORIZED: {
    status: 401,
    describe: 'No token, or one that is expired, revoked or not ours. Also a wrong signature or preview token.',
    message: 'A valid bearer token is required.'
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    describe: 'The token lacks the scope that `WWW-Authenticate` names.',
    message: 'The token lacks the scope api:write that this needs: ask for a token with it.'
  },
  NOT_FOUND: {
    status: 404,
    describe: 'There is no such thing, or it is not public.',
    message: 'No id begins with 3f2a9c1b: check it, or give more of it.'
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    describe: 'The path takes the methods that `Allow` names.',
    message: 'PUT is not possible at /api/settings: GET, HEAD are.'
  },
  CONFLICT: {
    status: 409,
    describe: "The thing's state does not allow the change; read it again.",
    message: 'What is archived does not allow this. Nothing was changed.'
  },
  AMBIGUOUS_ID: {
    status: 409,
    describe: 'A prefix stands for several ids; give more of it.',
    message: '3f2a9c1b stands for several: 3f2a9c1b-0…, 3f2a9c1b-7…. Give more of it.'
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    describe: 'The key was used with another request; make a new key.',
    message: 'The Idempotency-Key "order-7" was used for another request: use a new one.'
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    describe: 'The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.',
    message:
      'The first request with the Idempotency-Key "order-7" is still being answered, or was cut off: repeat it in 1 s.'
  },
  IDEMPOTENCY_ANSWER_LOST: {
    status: 409,
    describe: 'The request was carried out, but the process ended before its answer was stored; read what it made.',
    message: 'The request with the Idempotency-Key "order-7" was carried out, but its answer was lost.'
  },
  PRECONDITION_FAILED: {
    status: 412,
    describe: '`If-Match` names a version that is not the present one; read it again.',
    message: 'It changed since it was read: read it again.'
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    describe: 'The body is larger than the route takes.',
    message: 'The body is larger than the 1048576 bytes this route accepts.'
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    describe: 'The route takes another content type, or a body that is not compressed.',
    message: 'The content type "text/csv" is not accepted here: send application/json, or what the API document names.'
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    describe: 'The file has no such bytes; `Content-Range` has its length.',
    message: "The range bytes=900000- is not within the file's 482113 bytes: ask for a part of them."
  },
  EXPECTATION_FAILED: {
    status: 417,
    describe: 'The header `Expect` asks for something else than `100-continue`; leave it out.',
    message: 'The expectation "teapot" cannot be met: leave the header Expect out, or send 100-continue.'
  },
  RATE_LIMITED: {
    status: 429,
    describe: 'Too many requests; wait for `Retry-After` seconds.',
    message: 'Too many requests in this minute: wait 12 s.'
  },
  INTERNAL_ERROR: {
    status: 500,
    describe: 'Our fault; the log has the request id.',
    message: 'The service failed on this request. Its log has the cause under this request_id.'
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    describe: 'The database or another part does not answer; try again after `Retry-After` seconds.',
    message: 'The database does not answer.'
  }
} as const satisfies Record<string, ErrorDefinition>

/** A code of the kernel, or one that a plugin declares in `errors`. */
export type ErrorCode = keyof typeof coreErrors | (string & Record<never, never>)

/** The HTTP status of a code; undefined for one that nobody declares. */
export const statusOf = (errors: ErrorDefinitions, code: ErrorCode): number | undefined =>
  Object.hasOwn(errors, code) ? errors[code]?.status : undefined
