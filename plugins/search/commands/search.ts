import { command, InputError, textFault } from '#core'
import { degradedNote } from '#plugins/memory'
import type { SearchComponents } from '../components.ts'
import { filterOf } from '../filter-query.ts'
import { maxQueryLength, queryFault } from '../query/query.ts'
import { parseSearchResult } from '../search.ts'
import { searchResultsText } from './search-results-text.ts'

const incompleteNote =
  'This may lack posts, or have too many: the time was up, the index is not whole, or too many words were excluded. galley doctor says more.'

export const searchCommand = ({ search }: SearchComponents) =>
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
      },
      category: { type: 'string', describe: 'Only posts of this category, by its slug' },
      tag: { type: 'string', describe: 'Only posts with this tag, by its slug' },
      from: { type: 'string', describe: 'Published on this day or later, such as 2026-11-01; or a time in UTC' },
      to: { type: 'string', describe: 'Published before this day; or a time in UTC' },
      language: { type: 'string', describe: 'Only posts in this language, such as de; the query is read in it' }
    },
    run: async ({ args, terminal }) => {
      const q = args.query
      const fault = textFault(q) ?? queryFault(q)
      if (fault !== undefined) throw new InputError({ query: fault })
      const page = { limit: args.limit, offset: args.offset }
      const { items, total, isDegraded, isByWordsAlone, corrected, hasMore } = await search.find(q, page, {
        filter: filterOf(args),
        reportsFailure: true
      })
      if (hasMore) terminal.note('More posts than these were found: narrow the query.')
      if (isDegraded) terminal.note(isByWordsAlone ? degradedNote : incompleteNote)
      for (const { from, to } of corrected) terminal.note(`No post has ${from}: this was found with ${to}.`)
      const posts = items.map(parseSearchResult)
      const said = corrected.length === 0 ? {} : { corrected }
      return { items: posts, total, ...page, ...said, ...(isDegraded ? { degraded: true } : {}) }
    },
    text: searchResultsText
  })
