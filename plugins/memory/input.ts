import { createHash } from 'node:crypto'
import { InputError } from '#core'
import { headingOf } from './chunks.ts'
import { type MemoryQuery, type NewEntry, type SourceTable, sourceTables } from './index.ts'

export const longestQuery = 2000
export const mostResults = 100
export const longestName = 200
export const longestTagList = 5000
const longestTag = 100
const mostTags = 50
const longestUrl = 2000

/** An entry as it is stored: checked, with every default filled in. */
export type CheckedEntry = Required<Omit<NewEntry, 'tags'>> & { tags: string[]; content_hash: string }
/** A query with every default filled in; null where nothing is asked for. */
export type CheckedQuery = Required<Omit<MemoryQuery, 'writer' | 'source_table' | 'tags'>> &
  Record<'writer' | 'source_table', string | null> & { tags: string[] | null }

type Faults = Record<string, string>

/** @throws InputError naming every field at fault. */
export function checkEntry(entry: NewEntry, mostBytes: number): CheckedEntry {
  const faults: Faults = {}
  const text = entry.text.replace(/^\ufeff/, '')
  checkSourceTable(faults, entry.source_table)
  checkText(faults, 'source_id', entry.source_id, longestName)
  checkText(faults, 'writer', entry.writer, longestName)
  checkText(faults, 'text', text, Number.POSITIVE_INFINITY)
  const bytes = Buffer.byteLength(text)
  if (bytes > mostBytes) faults.text = `has ${bytes} bytes; at most ${mostBytes} are stored (setting memory_max_bytes)`
  if (entry.title != null) checkText(faults, 'title', entry.title, 2 * longestName)
  if (entry.url != null) checkText(faults, 'url', entry.url, longestUrl)
  const tags = checkTags(faults, entry.tags ?? [])
  if (!isStorable(entry.metadata)) faults.metadata = notStorable
  refuse(faults)
  const { source_table, source_id, writer, url = null, metadata = {} } = entry
  const title = entry.title === undefined ? headingOf(text) : entry.title
  const checked = { source_table, source_id, writer, title, url, text, tags, metadata }
  return { ...checked, content_hash: createHash('sha256').update(JSON.stringify(checked)).digest('hex') }
}

/** @throws InputError naming every field at fault. */
export function checkQuery(query: MemoryQuery): CheckedQuery {
  const faults: Faults = {}
  const { q, limit = 5, min_similarity = 0.5, writer = null, source_table = null } = query
  checkText(faults, 'q', q, longestQuery)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostResults)
    faults.limit = `must be a whole number from 1 to ${mostResults}`
  if (!(min_similarity >= 0 && min_similarity <= 1)) faults.min_similarity = 'must be a number from 0 to 1'
  if (writer !== null) checkText(faults, 'writer', writer, longestName)
  if (source_table !== null) checkSourceTable(faults, source_table)
  const tags = checkTags(faults, query.tags ?? [])
  refuse(faults)
  return { q, limit, min_similarity, writer, source_table, tags: tags.length === 0 ? null : tags }
}

/** @throws InputError when a text cannot be embedded. */
export function checkTexts(texts: readonly string[]): void {
  const faults: Faults = {}
  for (const text of texts) checkText(faults, 'text', text, Number.POSITIVE_INFINITY)
  refuse(faults)
}

/** The same text gets the same id, so that storing it twice keeps one. */
export const idOf = (text: string): string => `text-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`

/** @throws InputError for another table. */
export function checkTable(table: string): asserts table is SourceTable {
  const faults: Faults = {}
  checkSourceTable(faults, table)
  refuse(faults)
}

const notStorable = 'contains a NUL character or half of a surrogate pair: remove it'

function checkTags(faults: Faults, given: readonly string[]): string[] {
  const tags = [...new Set(given.map(tag => tag.trim()).filter(tag => tag !== ''))]
  if (tags.length > mostTags) faults.tags = `has ${tags.length} tags; at most ${mostTags} are allowed`
  for (const tag of tags) checkText(faults, 'tags', tag, longestTag)
  return tags
}

function checkSourceTable(faults: Faults, value: string): void {
  if (!(sourceTables as readonly string[]).includes(value))
    faults.source_table = `must be one of ${sourceTables.join(', ')}`
}

function checkText(faults: Faults, field: string, value: string, longest: number): void {
  if (typeof value !== 'string' || value.trim() === '') faults[field] = 'must not be empty'
  else if (value.length > longest) faults[field] = `has ${value.length} characters; at most ${longest} are allowed`
  else if (!isStorable(value)) faults[field] = notStorable
}

/** PostgreSQL stores neither NUL nor text that is not well-formed Unicode. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each))
}

function refuse(faults: Faults): void {
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}
