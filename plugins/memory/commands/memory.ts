import type { CommandGroup, Db } from '#core'
import type { Entries } from '../entries.ts'
import type { Memory } from '../index.ts'
import { backfillCommand, embedCommand } from './embeddings.ts'
import { getCommand, listEntriesCommand } from './entries.ts'
import { searchMemoryCommand } from './search.ts'
import { statusCommand } from './status.ts'
import { removeCommand, storeCommand } from './store.ts'

interface MemoryCommandDeps {
  memory: Memory
  entries: Entries
  db: Db
  /** The setting `memory_max_bytes`. */
  maxBytes: () => number
}

export const memoryCommands = ({ memory, entries, db, maxBytes }: MemoryCommandDeps): CommandGroup => ({
  list: listEntriesCommand(entries),
  get: getCommand(entries),
  search: searchMemoryCommand(memory),
  status: statusCommand(memory),
  embed: embedCommand(memory),
  store: storeCommand(memory, maxBytes),
  remove: removeCommand(memory, db),
  'backfill-posts': backfillCommand(memory)
})
