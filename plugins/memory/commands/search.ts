import { command } from '#core'
import { degradedNote, type Memory, type MemoryMatch, type MemoryQuery, searchModes } from '../index.ts'
import { queryFaults } from '../input.ts'
import { tableArg } from './entries.ts'

const searchArgs = {
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
  mode: {
    type: 'string',
    describe: 'How to rank: by similarity, or fused with the words in common',
    options: searchModes,
    default: 'similarity'
  },
  limit: { type: 'integer', describe: 'Passages at most, 1-100', default: 5, minimum: 1, maximum: 100 },
  tags: {
    type: 'string',
    describe: 'Comma list: only what has every one of these',
    placeholder: 'A,B',
    acceptsEmpty: true
  }
} as const

export const searchMemoryCommand = (memory: Memory) =>
  command({
    describe: 'Find passages by meaning',
    returns: 'list of MemoryMatch',
    args: searchArgs,
    validate({ query: q, writer, tags }) {
      const { q: query, ...faults } = queryFaults({ q, writer, tags: tags?.split(',') })
      return query === undefined ? faults : { query, ...faults }
    },
    async run({ args, isJson, terminal }) {
      const query = {
        q: args.query,
        writer: args.writer,
        source_table: args['source-table'],
        tags: args.tags?.split(','),
        mode: args.mode
      }
      const min_similarity = args['min-similarity']
      const { items, total, degraded } = await memory.search({ ...query, limit: args.limit, min_similarity })
      const found = { items, total, limit: args.limit, offset: 0, degraded }
      if (degraded) terminal.note(degradedNote)
      if (isJson || items.length > 0 || min_similarity === 0) return found
      return { ...found, hint: await hintFor(memory, query, min_similarity) }
    },
    text: ({
      items,
      hint = 'Nothing found. A lower --min-similarity or fewer filters may find more.'
    }: FoundPassages) => (items.length === 0 ? hint : items.map(matchText).join('\n\n'))
  })

interface FoundPassages {
  items: MemoryMatch[]
  total: number
  limit: number
  offset: number
  degraded: boolean
  /** Only in text: what a lower --min-similarity would show. */
  hint?: string | undefined
}

/** What a lower --min-similarity would show; undefined when nothing has anything in common with the query. */
async function hintFor(memory: Memory, query: MemoryQuery, min_similarity: number): Promise<string | undefined> {
  const [nearest] = (await memory.search({ ...query, limit: 1, min_similarity: 0 })).items
  return nearest !== undefined && nearest.similarity > 0 ? nearestText(nearest, min_similarity) : undefined
}

/** Names a --min-similarity that shows it: rounded down, as the similarity is. */
function nearestText({ similarity, source_table, source_id }: MemoryMatch, asked: number): string {
  const downTo = (decimals: number) => {
    const cut = Math.floor(Number(`${similarity}e${decimals}`)) / 10 ** decimals
    return cut.toFixed(decimals)
  }
  const lower = Number(downTo(2))
  return `Nothing as near as ${asked}; the nearest is ${downTo(3)} (${source_table}/${source_id}): --min-similarity ${lower} shows it.`
}

function matchText({ similarity, source_table, source_id, chunk, writer, text }: MemoryMatch): string {
  const lines = text.split('\n').map(line => `  ${line}`.trimEnd())
  return [`${similarity.toFixed(3)}  ${source_table}/${source_id} #${chunk}  by ${writer}`, ...lines].join('\n')
}
