import type { ErrorCode } from './error-codes.ts'
import { service } from './services.ts'

/** A failed GET, or a form that failed where the route has a page, of somebody whose browser asks for one. */
export interface FailedRead {
  /** The HTTP status, 400 to 599. */
  readonly status: number
  readonly error_code: ErrorCode
  /** What happened and what to do, in one sentence or two. */
  readonly message: string
  readonly request_id: string
}

/** An HTML document, with the headers it needs beside those of every answer, such as its `content-security-policy`. */
export interface ErrorPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Shows failures as pages to readers whose `Accept` prefers HTML to JSON. At most one plugin provides it; without it all get JSON. */
export interface ErrorPages {
  pageOf(failed: FailedRead): Promise<ErrorPage>
}
export const ErrorPagesService = service<ErrorPages>('core.error-pages')
