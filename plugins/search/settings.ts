import { Type } from 'typebox'
import { setting } from '#core'

/** PostgreSQL's own text search configurations that both a server and the embedded database have. */
export const searchLanguages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish'
] as const

/** They are listed with those of the posts. */
const category = 'posts'

export const searchSettings = {
  search_language: setting(Type.Enum([...searchLanguages]), {
    category,
    default: 'english',
    describe:
      'Language posts are searched in: which endings of words are alike, and which words say nothing; simple: none. A change re-indexes the posts in the background.'
  }),
  search_by_meaning: setting(Type.Boolean(), {
    category,
    default: true,
    describe: 'Whether posts are searched by meaning beside the words, when the memory plugin is there.'
  }),
  search_meaning_weight: setting(Type.Number({ minimum: 0, maximum: 10 }), {
    category,
    default: 0,
    describe:
      'What a place in the list by meaning is worth, in places in the list by words; 0: 0.7 while vectors of the embedded embedder are searched (0.3 by two words and for related posts, nothing by one), 1 with any other.'
  }),
  search_min_similarity: setting(Type.Number({ minimum: 0, maximum: 1 }), {
    category,
    default: 0.3,
    describe:
      'Cosine similarity, 0–1, from which a post that does not contain the words searched for is found by meaning.'
  }),
  search_cache_mb: setting(Type.Integer({ minimum: 0, maximum: 4096 }), {
    category,
    default: 160,
    describe:
      'Megabytes of the search index and of posts, as results show them, that one process keeps ready; they fill as readers search.'
  })
}
