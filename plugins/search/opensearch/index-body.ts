import { isObject } from '#core'

/** The shape of documents: another one needs a new index. */
const format = 1
/** As galley ranks: documents count in halves of a mention, which doubles k1. */
const similarity = { type: 'BM25', k1: 3.2, b: 0.5 }
/** No phrase reaches from one field into the next. */
const gap = 100

/** Settings and mappings of a new index. */
export const indexBody = (alias: string, nextAlias: string) => ({
  settings: {
    index: {
      // While it is filled nobody searches it.
      refresh_interval: '-1',
      // What was removed is remembered for so long: an older change that comes late stays refused.
      gc_deletes: '1h',
      similarity: { galley: similarity }
    }
  },
  mappings: {
    dynamic: 'strict',
    // The database has the texts.
    _source: { enabled: false },
    _meta: { made_by: 'galley', alias, format },
    properties: {
      post_no: { type: 'integer' },
      published: { type: 'integer' },
      category: { type: 'keyword' },
      tags: { type: 'keyword' },
      language: { type: 'keyword' },
      title_words: { type: 'keyword' },
      first_word: { type: 'keyword' },
      // Analysed by galley: terms with blanks between them.
      text: { type: 'text', analyzer: 'whitespace', similarity: 'galley', position_increment_gap: gap }
    }
  },
  aliases: { [nextAlias]: {} }
})

/** Whether an index with these mappings was made by galley for this alias. */
export function isMadeFor(alias: string, index: unknown): boolean {
  const mappings = isObject(index) ? index.mappings : undefined
  const meta = isObject(mappings) ? mappings._meta : undefined
  return isObject(meta) && meta.made_by === 'galley' && meta.alias === alias
}
