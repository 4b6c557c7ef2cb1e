import { type Db, NotFoundError } from '#core'
import { type Page, type PageRequest, toPage } from '#lists'
import {
  countEntries,
  type EntryFilter,
  type EntryRow,
  type FullEntryRow,
  findEntry,
  listEntries
} from './repository/entries.ts'

/** What is stored, as it is stored: looking needs no embedder. */
export interface Entries {
  /** Newest first. */
  list(filter: EntryFilter, page: PageRequest): Promise<Page<EntryRow>>
  /** @throws NotFoundError */
  get(source_table: string, source_id: string): Promise<FullEntryRow>
}

export function createEntries(db: Db): Entries {
  return {
    async list(filter, page) {
      const [rows, total] = await Promise.all([listEntries(db, filter, page), countEntries(db, filter)])
      const { items, ...rest } = toPage(rows, page, total, row => [row.created_at, row.entry_id])
      return { items: items.map(({ entry_id: _, ...entry }) => entry), ...rest }
    },
    async get(source_table, source_id) {
      const entry = await findEntry(db, source_table, source_id)
      if (entry !== undefined) return entry
      throw new NotFoundError(`There is no entry ${source_table}/${source_id} in the memory: see "memory list".`)
    }
  }
}
