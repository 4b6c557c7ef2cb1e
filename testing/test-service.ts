import type { Db } from '../core/contract/database.ts'
import type { Plugin } from '../core/contract/plugin.ts'
import type { Service } from '../core/contract/services.ts'

export interface ServiceOptions {
  /** Beside galley's own. */
  plugins?: readonly Plugin[]
  /** Values of settings by key, as an operator writes them. */
  settings?: Readonly<Record<string, string>>
  /** False: jobs and events stay queued. */
  worker?: boolean
  now?: () => Date
}

/** An answer with its body read: JSON as a value, all else as text. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape of what they read
  body: any
}

/** What a command line printed and how it ended. */
export interface CommandResult {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** A whole service on a port of its own, with everything real but the network between machines. */
export interface TestService {
  readonly url: string
  /** A bearer token of scope `api:read api:write`. */
  readonly token: string
  readonly db: Db
  readonly home: string
  /** A service by its token; undefined when no plugin provides it. */
  service<T>(token: Service<T>): T | undefined
  /** Sends a request as anybody; a body that is no string goes as JSON. */
  anonymous(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends a request with the token. */
  bearer(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Runs a command of the plugins as an operator would type it: `run('posts', 'list')`. */
  run(...argv: string[]): Promise<CommandResult>
  close(): Promise<void>
}
