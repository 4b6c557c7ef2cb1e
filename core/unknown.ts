/** `#core/unknown`: also for modules that a child process or a worker thread reads, which import few others. */

/** Whether properties of a value can be read. Lists count as well. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The `code` of an error of Node.js, PostgreSQL or a library, such as `ENOENT`; undefined for anything else. */
export const errorCode = (thrown: unknown): string | undefined =>
  isObject(thrown) && typeof thrown.code === 'string' ? thrown.code : undefined
