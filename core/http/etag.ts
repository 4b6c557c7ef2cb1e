import { hash } from 'node:crypto'

/** Ends the tag of a compressed answer: other bytes need another strong tag. */
const gzipSuffix = '-gzip'

/** A strong entity tag: the same bytes give the same tag. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** The tag of the same answer, compressed. */
export function gzipEtag(etag: string): string {
  return `${etag.slice(0, -1)}${gzipSuffix}"`
}

/** True when an `If-None-Match` header names `etag`: the reader has these bytes (weak comparison, RFC 9110 §13.1.2). */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = withoutWeakness(etag)
  return tagsIn(header).some(tag => withoutWeakness(tag) === opaque)
}

/**
 * True when an `If-Match` header names `etag`: the writer has seen this state. Strong comparison (RFC 9110 §13.1.1), except
 * that the tag of the compressed form counts as well: readers whose client asks for gzip never see the other one.
 */
export function matchesIfMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return tagsIn(header).some(tag => tag === etag || tag === gzipEtag(etag))
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
