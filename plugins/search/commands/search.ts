import { command, InputError, textFault } from '#core'
import { degradedNote } from '#plugins/memory'
import type { SearchParts } from '../parts.ts'
import { maxQueryLength, queryFault } from '../query/query.ts'
import { parseSearchResult } from '../search.ts'
import { searchResultsText } from './search-results-text.ts'

export const searchCommand = ({ search }: SearchParts) =>
  command({
    describe: 'Public posts by words and by meaning, best first',
    returns: 'list of Post with score and snippet',
    args: {
      query: {
        type: 'positional',
        describe: `Words, "phrases", -without, begin*, this or that; at most ${maxQueryLength} characters`,
        required: true
      },
      limit: { type: 'integer', describe: 'Posts on the page, 1–100', default: 20, minimum: 1, maximum: 100 },
      offset: {
        type: 'integer',
        describe: 'Posts before the page',
        default: 0,
        minimum: 0,
        maximum: 1_000_000_000
      }
    },
    run: async ({ args, terminal }) => {
      const q = args.query
      const fault = textFault(q) ?? queryFault(q)
      if (fault !== undefined) throw new InputError({ query: fault })
      const page = { limit: args.limit, offset: args.offset }
      const { items, total, isDegraded, corrected } = await search.find(q, page, { reportsFailure: true })
      if (isDegraded) terminal.note(degradedNote)
      for (const { from, to } of corrected) terminal.note(`No post has ${from}: this was found with ${to}.`)
      const posts = items.map(parseSearchResult)
      const said = corrected.length === 0 ? {} : { corrected }
      return { items: posts, total, ...page, ...said, ...(isDegraded ? { degraded: true } : {}) }
    },
    text: searchResultsText
  })
