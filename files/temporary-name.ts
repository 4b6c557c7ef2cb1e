import { randomUUID } from 'node:crypto'

/** A name for a file that is written in full before it is renamed. */
export const temporaryName = (): string => `.galley-${randomUUID()}.tmp`

const temporary = /^\.galley-[0-9a-f-]{36}\.tmp$/

/** Whether a file of this name is one that is, or was, being written. */
export const isTemporaryName = (name: string): boolean => temporary.test(name)
