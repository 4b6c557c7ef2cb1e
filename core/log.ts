import type { Logger } from 'pino'

export type Log = Logger

const methods = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent', 'child'] as const

/** A child log that is made when something is written: nearly every request writes nothing, and making one costs it 6 µs. */
class ChildOnUse {
  readonly #parent: Log
  readonly #bindings: Record<string, unknown>
  #made: Log | undefined

  constructor(parent: Log, bindings: Record<string, unknown>) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get level(): string {
    return this.#parent.level
  }

  isLevelEnabled(level: string): boolean {
    return this.#parent.isLevelEnabled(level)
  }

  made(): Log {
    this.#made ??= this.#parent.child(this.#bindings)
    return this.#made
  }
}
for (const method of methods) {
  Object.defineProperty(ChildOnUse.prototype, method, {
    value(this: ChildOnUse, ...args: unknown[]) {
      const log = this.made()
      return (log[method] as (...given: unknown[]) => unknown).apply(log, args)
    }
  })
}

/** What Fastify makes of a log for each request. */
export const childOnUse = (parent: Log, bindings: Record<string, unknown>): Log =>
  new ChildOnUse(parent, bindings) as unknown as Log
