import { readTextFile } from '#cli'
import { command, type Db, InputError, NotFoundError, type Terminal } from '#core'
import type { Memory } from '../index.ts'
import { clientEntryId, entryFaults } from '../input.ts'
import { tableArg } from './entries.ts'

export const storeCommand = (memory: Memory, maxBytes: () => number) =>
  command({
    describe: 'Store a text',
    returns: '{source_table, source_id, chunks, stored}',
    args: {
      text: { type: 'string', describe: 'The text; or give --file', placeholder: 'TEXT' },
      file: {
        type: 'string',
        describe: 'A UTF-8 text file, - for stdin; or give --text',
        placeholder: 'PATH',
        completes: 'file'
      },
      writer: { type: 'string', describe: 'Who stores it, such as operator', required: true, placeholder: 'NAME' },
      'source-id': {
        type: 'string',
        describe: 'Its id: storing the same id again replaces it; default: made from text and writer',
        placeholder: 'ID'
      },
      'source-table': { ...tableArg, default: 'memory' },
      tags: { type: 'string', describe: 'Comma list', placeholder: 'A,B' }
    },
    validate: ({ text, file, writer, 'source-id': source_id, tags }) => ({
      ...(text === undefined && file === undefined ? { text: 'must be given, or --file' } : {}),
      ...(text !== undefined && file !== undefined ? { text: 'cannot be given together with --file' } : {}),
      ...entryFaults({ text, writer, source_id, tags: tags?.split(',') }, maxBytes())
    }),
    async run({ args, terminal }) {
      const text = await readText(args, terminal, maxBytes())
      return await memory.store({
        text,
        writer: args.writer,
        source_id: args['source-id'] ?? clientEntryId(text, args.writer),
        source_table: args['source-table'],
        tags: args.tags?.split(',') ?? []
      })
    },
    text: ({ source_table, source_id, chunks, stored }) =>
      stored
        ? `Stored ${source_table}/${source_id} in ${chunks} ${chunks === 1 ? 'passage' : 'passages'}.`
        : `${source_table}/${source_id} is stored already, unchanged.`
  })

async function readText(
  { text = '', file }: { text?: string; file?: string },
  terminal: Terminal,
  maxBytes: number
): Promise<string> {
  if (file === undefined) return text
  const limits = { maxBytes, field: 'file', limitName: 'setting memory_max_bytes' }
  const isStdin = file === '-'
  if (isStdin && terminal.isInteractive) terminal.note('Reading the text from the terminal; end it with Ctrl-D.')
  const read = isStdin ? await terminal.readStdin(limits) : await readTextFile(file, { ...limits, cwd: terminal.cwd })
  if (read.trim() === '') throw new InputError({ file: 'is empty' }, `${isStdin ? 'stdin' : file} is empty.`)
  return read
}

export const removeCommand = (memory: Memory, db: Db) =>
  command({
    describe: 'Delete an entry with its passages and embeddings',
    returns: '{source_table, source_id}',
    confirm: ({ args }) => ({
      text: `Delete ${args['source-table']}/${args.source_id} from the memory? Its text is lost for good.`,
      isIrreversible: true
    }),
    args: {
      source_id: { type: 'positional', describe: 'Its id', required: true },
      'source-table': { ...tableArg, default: 'memory' }
    },
    async run({ args }) {
      const source_table = args['source-table']
      const removed = await db.transaction(tx => memory.remove(tx, source_table, args.source_id))
      if (!removed) throw new NotFoundError(`There is no entry ${source_table}/${args.source_id} in the memory.`)
      return { source_table, source_id: args.source_id }
    },
    text: ({ source_table, source_id }) => `Deleted ${source_table}/${source_id}.`
  })
