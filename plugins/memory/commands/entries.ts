import { fieldLines, pageTable } from '#cli'
import { command } from '#core'
import { pageRequest } from '#lists'
import type { Entries } from '../entries.ts'
import { sourceTables } from '../index.ts'

export const tableArg = {
  type: 'string',
  describe: 'Where the entry comes from',
  options: sourceTables,
  placeholder: 'TABLE'
} as const

const empty = 'Nothing is stored that fits: "memory store" stores a text.'
const columns = [
  { heading: 'ENTRY' },
  { heading: 'WRITER', dropOrder: 2 },
  { heading: 'BYTES', dropOrder: 3 },
  { heading: 'STORED', dropOrder: 1 },
  { heading: 'TITLE OR BEGINNING', isText: true }
]

export const listEntriesCommand = (entries: Entries) =>
  command({
    describe: 'Show what is stored, newest first',
    returns: 'list of MemoryEntrySummary',
    args: {
      writer: { type: 'string', describe: 'Only what this writer stored', placeholder: 'NAME' },
      'source-table': tableArg,
      limit: { type: 'integer', describe: 'Entries to show, 1-100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Entries to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const filter = { source_table: args['source-table'] ?? null, writer: args.writer ?? null }
      const page = pageRequest({ limit: args.limit, offset: args.offset }, ['timestamp', 'uuid'], ['memory'])
      const { next_cursor: _, ...found } = await entries.list(filter, page)
      return found
    },
    text({ items, ...page }, terminal) {
      const rows = items.map(({ source_table, source_id, writer, bytes, created_at, title, excerpt }) => [
        `${source_table}/${source_id}`,
        writer,
        String(bytes),
        created_at,
        title ?? excerpt
      ])
      return pageTable(columns, rows, { ...page, empty }, terminal)
    }
  })

export const getCommand = (entries: Entries) =>
  command({
    describe: 'Show one entry with its text',
    returns: 'MemoryEntry',
    args: {
      source_id: { type: 'positional', describe: 'Its id, or TABLE/ID as "memory list" shows it', required: true },
      'source-table': { ...tableArg, describe: 'Where the entry comes from; default: as the id says, else memory' }
    },
    run: ({ args }) => entries.get(...keyOf(args.source_id, args['source-table'])),
    text: ({ text, excerpt: _, ...entry }, terminal) => `${fieldLines(entry, terminal)}\n\n${text}`
  })

/** An id may hold a slash itself: only what begins with a table's name is taken apart. */
function keyOf(text: string, source_table: string | undefined): [source_table: string, source_id: string] {
  if (source_table !== undefined) return [source_table, text]
  const [first = '', ...rest] = text.split('/')
  const isTable = rest.length > 0 && sourceTables.some(name => name === first)
  return isTable ? [first, rest.join('/')] : ['memory', text]
}
