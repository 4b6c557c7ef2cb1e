import type { ErrorCode } from './errors.ts'

/** When a code is answered and what to do, and a message as it may read. Apart from the codes: only documents need it. */
export const errorDescriptions: Readonly<Record<ErrorCode, { describe: string; message: string }>> = {
  VALIDATION_ERROR: {
    describe: 'A body, parameter or header is not as described; mend the fields that `errors` names.',
    message: 'The request is not valid: see errors.'
  },
  UNAUTHORIZED: {
    describe:
      'No token, or one that is expired, revoked or not ours; get one from `POST /token`. Also a wrong webhook signature or preview token.',
    message: 'A valid bearer token is required: get one from POST /token.'
  },
  INSUFFICIENT_SCOPE: {
    describe: 'The token lacks the scope that `WWW-Authenticate` names.',
    message: 'The token lacks the scope api:write that this needs: ask for a token with it.'
  },
  NOT_FOUND: {
    describe: 'There is no such thing, or it is not public.',
    message: 'No task_id begins with 3f2a9c1b: check it, or give more of it.'
  },
  METHOD_NOT_ALLOWED: {
    describe: 'The path takes the methods that `Allow` names.',
    message: 'PUT is not possible at /api/tasks: GET, HEAD, POST are.'
  },
  CONFLICT: {
    describe: "The thing's state does not allow the change; read it again.",
    message: 'A post that is archived does not allow this: it must be published. Nothing was changed.'
  },
  AMBIGUOUS_ID: {
    describe: 'A prefix stands for several ids; give more of it.',
    message: '3f2a9c1b stands for several: 3f2a9c1b-0…, 3f2a9c1b-7…. Give more of it.'
  },
  IDEMPOTENCY_KEY_REUSED: {
    describe: 'The key was used with another request; make a new key.',
    message: 'The Idempotency-Key "order-7" was used for another request: use a new one.'
  },
  IDEMPOTENCY_KEY_IN_USE: {
    describe: 'The first request with this key is still being answered; try again.',
    message: 'The first request with the Idempotency-Key "order-7" is still being answered: repeat it in a moment.'
  },
  IDEMPOTENCY_ANSWER_LOST: {
    describe: 'The request was carried out, but the process ended before its answer was kept; read what it made.',
    message: 'The request with the Idempotency-Key "order-7" was carried out, but its answer was lost.'
  },
  TASK_ALREADY_REJECTED: {
    describe: 'The task was rejected before this decision.',
    message: 'Task 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d was rejected already. Nothing was changed.'
  },
  TASK_IN_PROGRESS: {
    describe: 'The pipeline is writing the task; decide when it waits.',
    message: 'Task 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d is being written: decide when it is awaiting_approval.'
  },
  TOPIC_QUEUE_FULL: {
    describe: 'Too many topics wait for a decision; decide some first.',
    message: '50 topics wait for a decision: decide some first.'
  },
  DUPLICATE_TITLE: {
    describe: 'A published post has nearly this title; change it, or force.',
    message: 'A published post has nearly this title: change it, or use --force.'
  },
  DUPLICATE_CONTENT: {
    describe: 'The draft nearly repeats a post that was published or scheduled since; change or reject it, or force.',
    message:
      'how-tides-follow-the-moon nearly repeats the post the-moon-and-the-tides: change or reject it, or decide so all the same with force.'
  },
  NICHE_REQUIRED: {
    describe: 'The post has no niche_slug, and `niche_gated_publishing` is on; give it one, or force.',
    message:
      'how-tides-follow-the-moon has no niche_slug, and niche_gated_publishing is on: give it one, or decide so all the same with force.'
  },
  DUPLICATE_TOPIC: {
    describe:
      'The topic nearly repeats an open topic or a published post; leave out `--strict` to propose it all the same.',
    message: 'The topic nearly repeats "How tides follow the moon": leave out --strict to propose it all the same.'
  },
  CONTENT_CHANGED: {
    describe: 'The content is not what the decision was about; look at it again and decide then.',
    message: 'The content changed since it was approved: look at it again and decide then.'
  },
  PRECONDITION_FAILED: {
    describe: '`If-Match` names a version that is not the present one; read it again.',
    message: 'The post changed since it was read: read it again.'
  },
  PAYLOAD_TOO_LARGE: {
    describe: 'The body is larger than the route takes.',
    message: 'The body is larger than the 1048576 bytes this route accepts.'
  },
  UNSUPPORTED_MEDIA_TYPE: {
    describe: 'The route takes another content type, or a body that is not compressed.',
    message: 'The content type "text/csv" is not accepted here: send application/json, or what the API document names.'
  },
  RANGE_NOT_SATISFIABLE: {
    describe: 'The file has no such bytes; `Content-Range` tells its length.',
    message: "The range bytes=900000- is not within the file's 482113 bytes: ask for a part of them."
  },
  EXPECTATION_FAILED: {
    describe: 'The header `Expect` asks for something else than `100-continue`; leave it out.',
    message: 'The expectation "teapot" cannot be met: leave the header Expect out, or send 100-continue.'
  },
  RATE_LIMITED: {
    describe: 'Too many requests; wait for `Retry-After` seconds.',
    message: 'Too many requests in this minute: wait 12 s.'
  },
  INTERNAL_ERROR: {
    describe: 'Our fault; the log has the request id.',
    message: 'The service failed on this request. Its log has the cause under this request_id.'
  },
  SERVICE_UNAVAILABLE: {
    describe: 'The database or another part does not answer; try again after `Retry-After` seconds.',
    message: 'The database does not answer.'
  }
}
