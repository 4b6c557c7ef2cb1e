import { createHash } from 'node:crypto'
import { InputError, textFault } from '#core'
import { metadataFault } from '#lists'
import { type MemoryQuery, type NewEntry, sourceTables } from './index.ts'
import { headingOf } from './passages.ts'

export const maxMemoryQueryLength = 2000
export const maxResults = 100
export const maxNameLength = 200
export const maxTagListLength = 5000
export const maxTagLength = 100
export const maxTags = 50
export const maxUrlLength = 2000
export const maxTitleLength = 2 * maxNameLength

/** An entry as it is stored: checked, with every default filled in. */
export type CheckedEntry = Required<Omit<NewEntry, 'tags'>> & { tags: string[]; content_hash: string }
/** A query with every default filled in; null where nothing is asked for. */
export type CheckedQuery = Required<Omit<MemoryQuery, 'writer' | 'source_table' | 'tags'>> &
  Record<'writer' | 'source_table', string | null> & { tags: string[] | null }

type Faults = Record<string, string>

/** What is wrong with the fields of an entry that are given. */
export function entryFaults(entry: Partial<NewEntry>, maxBytes: number): Faults {
  const faults: Faults = {}
  const { source_table, source_id, writer, text, title, url, tags = [], metadata } = entry
  if (source_table !== undefined) checkSourceTable(faults, source_table)
  if (source_id !== undefined) checkSourceId(faults, source_id)
  if (writer !== undefined) checkText(faults, 'writer', writer, maxNameLength)
  if (text !== undefined) checkText(faults, 'text', text, Number.POSITIVE_INFINITY)
  if (text !== undefined && isTooLarge(text, maxBytes)) faults.text = tooLarge(text, maxBytes)
  if (title != null) checkText(faults, 'title', title, maxTitleLength)
  if (url != null) checkUrl(faults, url)
  checkTags(faults, tags)
  const fault = faultWithin(metadata) ?? metadataFault(metadata)
  if (fault !== undefined) faults.metadata = fault
  return faults
}

/** @throws InputError naming every field at fault. */
export function checkEntry(entry: NewEntry, maxBytes: number): CheckedEntry {
  const text = entry.text.replace(/^\ufeff/, '')
  refuse(entryFaults({ ...entry, text }, maxBytes))
  const { source_table, source_id, writer, url = null, metadata = {} } = entry
  const tags = tagsOf(entry.tags ?? [])
  const title = entry.title === undefined ? headingOf(text) : entry.title
  const checked = { source_table, source_id, writer, title, url, text, tags, metadata }
  // The order of tags means nothing.
  const content_hash = createHash('sha256')
    .update(JSON.stringify({ ...checked, tags: tags.toSorted() }))
    .digest('hex')
  return { ...checked, content_hash }
}

export const isTooLarge = (text: string, maxBytes: number): boolean => Buffer.byteLength(text) > maxBytes
export const tooLarge = (text: string, maxBytes: number): string =>
  `has ${Buffer.byteLength(text)} bytes; at most ${maxBytes} are stored (setting memory_max_bytes)`

/** What is wrong with the parts of a query that are given. */
export function queryFaults({ q, limit, min_similarity, writer, source_table, tags }: Partial<MemoryQuery>): Faults {
  const faults: Faults = {}
  if (q !== undefined) checkText(faults, 'q', q, maxMemoryQueryLength)
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > maxResults))
    faults.limit = `must be a whole number from 1 to ${maxResults}`
  if (min_similarity !== undefined && !(min_similarity >= 0 && min_similarity <= 1))
    faults.min_similarity = 'must be a number from 0 to 1'
  if (writer !== undefined) checkText(faults, 'writer', writer, maxNameLength)
  if (source_table !== undefined) checkSourceTable(faults, source_table)
  checkTags(faults, tags ?? [])
  return faults
}

/** @throws InputError naming every field at fault. */
export function checkQuery(query: MemoryQuery): CheckedQuery {
  refuse(queryFaults(query))
  const { q, limit = 5, min_similarity = 0.5, writer = null, source_table = null, mode = 'similarity' } = query
  const tags = tagsOf(query.tags ?? [])
  return { q, limit, min_similarity, writer, source_table, mode, tags: tags.length === 0 ? null : tags }
}

/** @throws InputError when a text cannot be embedded. */
export function checkTexts(texts: readonly string[]): void {
  const faults: Faults = {}
  for (const text of texts) checkText(faults, 'text', text, Number.POSITIVE_INFINITY)
  refuse(faults)
}

/** The same text by the same writer gets the same id, so that storing it twice keeps one; another's stays beside it. */
export const clientEntryId = (text: string, writer: string): string =>
  `text-${createHash('sha256').update(`${writer}\0${text}`).digest('hex').slice(0, 16)}`

const tagsOf = (given: readonly string[]): string[] => [
  ...new Set(given.map(tag => tag.trim()).filter(tag => tag !== ''))
]

function checkTags(faults: Faults, given: readonly string[]): void {
  const tags = tagsOf(given)
  if (tags.length > maxTags) faults.tags = `has ${tags.length} tags; at most ${maxTags} are allowed`
  for (const tag of tags) checkText(faults, 'tags', tag, maxTagLength)
}

/** It is a step of the entry's address, and clients take these two out of one. */
function checkSourceId(faults: Faults, source_id: string): void {
  checkText(faults, 'source_id', source_id, maxNameLength)
  if (source_id === '.' || source_id === '..') faults.source_id = 'must be another name than . and ..'
}

/** Readers may be given it as a link. */
function checkUrl(faults: Faults, url: string): void {
  checkText(faults, 'url', url, maxUrlLength)
  if (faults.url === undefined && !(isWebAddress.test(url) && URL.canParse(url)))
    faults.url = 'must be an http:// or https:// address'
}

const isWebAddress = /^https?:\/\//i

function checkSourceTable(faults: Faults, value: string): void {
  if (!sourceTables.some(table => table === value)) faults.source_table = `must be one of ${sourceTables.join(', ')}`
}

function checkText(faults: Faults, field: string, value: string, maxLength: number): void {
  if (typeof value !== 'string' || value.trim() === '') faults[field] = 'must not be empty'
  else if (value.length > maxLength && lengthOf(value) > maxLength)
    faults[field] = `has ${lengthOf(value)} characters; at most ${maxLength} are allowed`
  else {
    const fault = textFault(value)
    if (fault !== undefined) faults[field] = fault
  }
}

/** Characters as JSON Schema and PostgreSQL count them. */
const lengthOf = (value: string): number => value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** The first fault of a text anywhere in a value. */
function faultWithin(value: unknown): string | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, each] of Object.entries(value)) {
    const fault = textFault(key) ?? faultWithin(each)
    if (fault !== undefined) return fault
  }
  return undefined
}

function refuse(faults: Faults): void {
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}
