import { type FastPath, matchesIfMatch, matchesIfNoneMatch } from '#core'
import type { StoredFile } from '#plugins/storage'
import { httpDate } from './http-date.ts'

/** What conditions and ranges are read from. */
export type FileRequest = Parameters<FastPath>[1]

/** What the conditions of a request come to: send the file, it is not modified, or a condition failed. */
export type Conditions = 'send' | 'not modified' | 'failed'

/** In the order of RFC 9110 §13.2.2: a condition by entity tag comes before the one by date, which then is not looked at. */
export function evaluate({ headers }: FileRequest, file: StoredFile): Conditions {
  if (hasFailed(headers, file)) return 'failed'
  return isNotModified(headers, file) ? 'not modified' : 'send'
}

type Headers = FileRequest['headers']

function hasFailed(headers: Headers, { etag, modifiedAt }: StoredFile): boolean {
  const tags = headers['if-match']
  if (tags !== undefined) return !matchesIfMatch(tags, etag)
  const since = httpDate(headers['if-unmodified-since'])
  return since !== undefined && secondOf(modifiedAt) > since
}

function isNotModified(headers: Headers, { etag, modifiedAt }: StoredFile): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesIfNoneMatch(tags, etag)
  const since = httpDate(headers['if-modified-since'])
  return since !== undefined && secondOf(modifiedAt) <= since
}

/** Headers tell whole seconds. */
const secondOf = (moment: Date): number => Math.floor(moment.getTime() / 1000) * 1000

/** Whether `Range` counts: absent, `If-Range` allows it; else it must name the present state by a strong tag or its exact date. */
export function isRangeOf({ headers }: FileRequest, { etag, modifiedAt }: StoredFile): boolean {
  const condition = headers['if-range']
  if (condition === undefined) return true
  const text = String(condition).trim()
  if (text === etag) return true
  // A file may change twice within the second that a date tells: until that second is over the date says nothing.
  return httpDate(text) === secondOf(modifiedAt) && Date.now() - modifiedAt.getTime() > 2000
}
