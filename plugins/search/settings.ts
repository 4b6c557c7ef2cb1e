import { setting, Type } from '#core'
import { searchLanguages } from './analysis/languages.ts'

/** They are listed with those of the posts. */
const category = 'posts'

export const searchSettings = {
  search_language: setting(Type.Enum([...searchLanguages]), {
    category,
    default: 'english',
    describe:
      'Language that posts without a language of their own are searched in: it decides stems and stop words; simple: neither. A change indexes the posts again in the background.'
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
      'What a rank by meaning is worth, in ranks by words. 0: as the embedder needs: 0.5; the embedded one only orders the first posts by words (and counts 0.3 for related posts).'
  }),
  search_min_similarity: setting(Type.Number({ minimum: 0, maximum: 1 }), {
    category,
    default: 0.3,
    describe:
      'Cosine similarity, 0–1, from which a post that does not contain the words searched for is found by meaning.'
  }),
  search_time_limit_ms: setting(Type.Integer({ minimum: 50, maximum: 10_000 }), {
    category,
    default: 250,
    describe:
      'Milliseconds after which a search answers with what it has found so far (`degraded: true`). The embedder gets three times as long, a single statement four times.'
  }),
  search_cache_mb: setting(Type.Integer({ minimum: 0, maximum: 4096 }), {
    category,
    default: 80,
    describe: 'Megabytes of the search index and of results that one process caches; they fill as readers search.'
  })
}
