import { hash } from 'node:crypto'

/** How an answer may be compressed, best first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** A strong entity tag: the same bytes give the same tag. */
export const etagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

/** The tag of the same answer, compressed: other bytes need another strong tag. */
export const codedEtag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`

/** True when an `If-None-Match` header names `etag`: the reader has these bytes (weak comparison, RFC 9110 §13.1.2). */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = withoutWeakPrefix(etag)
  return tagsIn(header).some(tag => withoutWeakPrefix(tag) === opaque)
}

/**
 * True when an `If-Match` header names `etag`: the writer has seen this state. Strong comparison (RFC 9110 §13.1.1), except
 * that the tags of the compressed forms count as well: readers whose client asks for one never see the other.
 */
export function matchesIfMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return tagsIn(header).some(tag => tag === etag || codings.some(coding => tag === codedEtag(etag, coding)))
}

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

const withoutWeakPrefix = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
