/** `#core/unknown`: also for modules that a child process or a worker thread reads, which import few others. */

/** Whether properties of a value can be read. Lists count as well. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Undefined where reading throws: a plugin may throw a proxy, or an object without a prototype. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  readable(() => String(thrown instanceof Error ? thrown.message : thrown)) ?? 'what was thrown has no text'

/** Anything that was thrown as an error with a message and a stack: itself if it is one. */
export const asError = (thrown: unknown): Error =>
  readable(() => (thrown instanceof Error && `${thrown.name}${thrown.message}${thrown.stack}` ? thrown : undefined)) ??
  new Error(messageOf(thrown))

/** The `code` of an error of Node.js, PostgreSQL or a library, such as `ENOENT`; undefined for anything else. */
export const errorCode = (thrown: unknown): string | undefined =>
  readable(() => (isObject(thrown) && typeof thrown.code === 'string' ? thrown.code : undefined))
