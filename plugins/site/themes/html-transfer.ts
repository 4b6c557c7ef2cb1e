import { Html, trusted } from '../html/html.ts'

/**
 * A value as it is sent to another thread: `Html`, which would lose what it is, stands as an object with `mark` as its key. The
 * mark is random, so that no text of a post can pass for HTML.
 */
export function packHtml(value: unknown, mark: string): unknown {
  if (value instanceof Html) return { [mark]: value.toString() }
  return mapped(value, each => packHtml(each, mark))
}

/** The value as it was before `packHtml`. */
export function unpackHtml(value: unknown, mark: string): unknown {
  if (isRecord(value) && typeof value[mark] === 'string') return trusted(value[mark])
  return mapped(value, each => unpackHtml(each, mark))
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
