import { counted, readTextFile } from '#cli'
import { type CommandGroup, command, type Db, InputError, NotFoundError, showTime, type Terminal } from '#core'
import type { Entries } from '../entries.ts'
import { type BackfillResult, degradedNote, type Memory, type MemoryMatch, type MemoryStats } from '../index.ts'
import { clientEntryId, entryFaults, queryFaults } from '../input.ts'
import { getCommand, listEntriesCommand, tableArg } from './entries.ts'

export interface MemoryCommandParts {
  memory: Memory
  entries: Entries
  db: Db
  /** The setting `memory_max_bytes`. */
  maxBytes: () => number
}

export const memoryCommands = ({ memory, entries, db, maxBytes }: MemoryCommandParts): CommandGroup => ({
  list: listEntriesCommand(entries),
  get: getCommand(entries),
  search: searchCommand(memory),
  status: statusCommand(memory),
  embed: embedCommand(memory),
  store: storeCommand(memory, maxBytes),
  remove: removeCommand(memory, db),
  'backfill-posts': backfillCommand(memory)
})

const searchCommand = (memory: Memory) =>
  command({
    describe: 'Find passages by meaning',
    returns: 'list of MemoryMatch',
    args: {
      query: { type: 'positional', describe: 'What is sought, in words', required: true },
      writer: { type: 'string', describe: 'Only what this writer stored', placeholder: 'NAME' },
      'source-table': tableArg,
      'min-similarity': {
        type: 'number',
        describe: 'Leave out passages below this cosine, 0-1',
        default: 0.5,
        minimum: 0,
        maximum: 1
      },
      limit: { type: 'integer', describe: 'Passages at most, 1-100', default: 5, minimum: 1, maximum: 100 },
      tags: {
        type: 'string',
        describe: 'Comma list: only what has every one of these',
        placeholder: 'A,B',
        allowEmpty: true
      }
    },
    check({ query: q, writer, tags }) {
      const { q: query, ...faults } = queryFaults({ q, writer, tags: tags?.split(',') })
      return query === undefined ? faults : { query, ...faults }
    },
    async run({ args, json, terminal }) {
      const query = {
        q: args.query,
        writer: args.writer,
        source_table: args['source-table'],
        tags: args.tags?.split(',')
      }
      const min_similarity = args['min-similarity']
      const { items, total, degraded } = await memory.search({ ...query, limit: args.limit, min_similarity })
      const found = { items, total, limit: args.limit, offset: 0, degraded }
      if (degraded) terminal.note(degradedNote)
      if (json || items.length > 0 || min_similarity === 0) return found
      const [nearest] = (await memory.search({ ...query, limit: 1, min_similarity: 0 })).items
      // What has nothing in common with the question is no find.
      const hint = nearest && nearest.similarity > 0 ? nearestText(nearest, min_similarity) : undefined
      return { ...found, hint }
    },
    text: ({
      items,
      hint = 'Nothing found. A lower --min-similarity or fewer filters may find more.'
    }: SearchResult) => (items.length === 0 ? hint : items.map(matchText).join('\n\n'))
  })

interface SearchResult {
  items: MemoryMatch[]
  total: number
  limit: number
  offset: number
  degraded: boolean
  /** Only in text: what a lower --min-similarity would show. */
  hint?: string | undefined
}

/** Names a --min-similarity that shows it: rounded down, as the similarity is. */
function nearestText({ similarity, source_table, source_id }: MemoryMatch, asked: number): string {
  const downTo = (places: number) => {
    const cut = Math.floor(Number(`${similarity}e${places}`)) / 10 ** places
    return cut.toFixed(places)
  }
  const lower = Number(downTo(2))
  return `Nothing as near as ${asked}; the nearest is ${downTo(3)} (${source_table}/${source_id}): --min-similarity ${lower} shows it.`
}

function matchText({ similarity, source_table, source_id, chunk, writer, text }: MemoryMatch): string {
  const lines = text.split('\n').map(line => `  ${line}`.trimEnd())
  return [`${similarity.toFixed(3)}  ${source_table}/${source_id} #${chunk}  by ${writer}`, ...lines].join('\n')
}

const statusCommand = (memory: Memory) =>
  command({
    describe: 'Count embeddings by source table and writer',
    returns: 'MemoryStats',
    args: {},
    run: async () => memory.stats(),
    text: statusText
  })

function statusText(
  {
    total,
    pending,
    fault,
    refusals,
    refused,
    model,
    serving_model,
    dimensions,
    by_source_table,
    by_writer
  }: MemoryStats,
  { timeZone }: Terminal
): string {
  const shown = (time: string) => showTime(time, timeZone)
  const rows = (counts: MemoryStats['by_writer']) =>
    counts.map(
      ({ key, count, oldest, newest }) =>
        `  ${key.padEnd(16)} ${String(count).padStart(8)}  ${shown(oldest)} to ${shown(newest)}`
    )
  const isServing = serving_model === model
  const wanted = isServing ? total + pending : total
  // While two models wait for passages, more wait than the one that serves has.
  const share = Math.max(wanted - pending, 0) / Math.max(wanted, 1)
  const done = Math.floor(100 * share)
  const waiting = pending === 0 ? '' : `, ${counted(pending, 'passage')} waiting for one (${done} % done)`
  return [
    ...(fault === null ? [] : [fault]),
    `${counted(total, 'embedding')} by ${serving_model}, ${dimensions} dimensions${isServing ? waiting : ''}`,
    ...(isServing ? [] : [`${model} takes over once every passage has one${waiting}.`]),
    ...(refused === 0 ? [] : [`${counted(refused, 'passage')} refused by the embedder, found by words only:`]),
    ...refusals.map(
      ({ source_table, source_id, chunk, reason }) => `  ${source_table}/${source_id} #${chunk}: ${reason}`
    ),
    ...(by_source_table.length === 0 ? [] : ['By source table:', ...rows(by_source_table)]),
    ...(by_writer.length === 0 ? [] : ['By writer:', ...rows(by_writer)])
  ].join('\n')
}

const embedCommand = (memory: Memory) =>
  command({
    describe: 'Print the 768-dimension vector of a text',
    returns: '{model, dimensions, embedding}',
    args: { text: { type: 'positional', describe: 'The text', required: true } },
    async run({ args }) {
      const { model, dimensions, embeddings } = await memory.embed([args.text])
      return { model, dimensions, embedding: embeddings[0] ?? [] }
    },
    text: ({ embedding }) => JSON.stringify(embedding)
  })

const storeCommand = (memory: Memory, maxBytes: () => number) =>
  command({
    describe: 'Store a text',
    returns: '{source_table, source_id, chunks, stored}',
    args: {
      text: { type: 'string', describe: 'The text; or give --file', placeholder: 'TEXT' },
      file: { type: 'string', describe: 'A UTF-8 text file, - for stdin; or give --text', placeholder: 'PATH' },
      writer: { type: 'string', describe: 'Who stores it, such as operator', required: true, placeholder: 'NAME' },
      'source-id': {
        type: 'string',
        describe: 'Its id: storing the same id again replaces it; default: made from text and writer',
        placeholder: 'ID'
      },
      'source-table': { ...tableArg, default: 'memory' },
      tags: { type: 'string', describe: 'Comma list', placeholder: 'A,B' }
    },
    check: ({ text, file, writer, 'source-id': source_id, tags }) => ({
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
        : `${source_table}/${source_id} is stored just so already.`
  })

async function readText(
  { text = '', file }: { text?: string; file?: string },
  terminal: Terminal,
  maxBytes: number
): Promise<string> {
  if (file === undefined) return text
  const limits = { maxBytes, field: 'file', limitName: 'setting memory_max_bytes' }
  const isStdin = file === '-'
  if (isStdin && terminal.interactive) terminal.note('Reading the text from the terminal; end it with Ctrl-D.')
  const read = isStdin ? await terminal.readStdin(limits) : await readTextFile(file, { ...limits, cwd: terminal.cwd })
  if (read.trim() === '') throw new InputError({ file: 'is empty' }, `${isStdin ? 'stdin' : file} is empty.`)
  return read
}

const removeCommand = (memory: Memory, db: Db) =>
  command({
    describe: 'Delete an entry with its passages and embeddings',
    returns: '{source_table, source_id}',
    confirm: ({ args }) => ({
      text: `Delete ${args['source-table']}/${args.source_id} from the memory? Its text is lost for good.`,
      irreparable: true
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

async function backfillPosts(memory: Memory, terminal: Terminal): Promise<BackfillResult> {
  const shown = {
    entries: terminal.progress('posts stored'),
    embeddings: terminal.progress('embeddings made')
  }
  try {
    return await memory.backfill('posts', {
      signal: terminal.signal,
      onProgress(step, done) {
        if (step === 'embeddings') shown.entries.end()
        shown[step].update(done)
      }
    })
  } finally {
    shown.entries.end()
    shown.embeddings.end()
  }
}

const backfillCommand = (memory: Memory) =>
  command({
    describe: 'Store and embed the published posts again',
    returns: '{source_table, entries, stored, embedded, fault}',
    args: {},
    run: ({ terminal }) => backfillPosts(memory, terminal),
    text: ({ entries, stored, embedded, fault }) => {
      const later = fault === null ? '' : ` A job makes the others later: ${fault}`
      return `${counted(entries, 'post')} read, ${stored} new or changed, ${counted(embedded, 'embedding')} made.${later}`
    }
  })
