import { setting, Type } from '#core'
import { addressSchema } from '#requests'
import { textLanguages } from '#text'

/** They are listed with those of the posts. */
const category = 'posts'

export const searchSettings = {
  search_language: setting(Type.Enum([...textLanguages]), {
    category,
    default: 'english',
    describe:
      'Language that posts without a language of their own are searched in: it decides stems and stop words; simple: neither. A change indexes the posts again in the background.'
  }),
  search_driver: setting(Type.String({ minLength: 1, maxLength: 60 }), {
    category,
    default: 'builtin',
    describe:
      'What finds posts by words: builtin (an index in the database), opensearch (OpenSearch or Elasticsearch at search_url), or a name a plugin registered. A change fills the other index in the background.'
  }),
  search_url: setting(addressSchema({ maxLength: 500, pattern: '^(https?://[^\\s?#]+)?$' }), {
    category,
    default: '',
    describe: 'Address of OpenSearch or Elasticsearch, for search_driver=opensearch: https://search.example.com:9200.'
  }),
  search_index: setting(Type.String({ maxLength: 80, pattern: '^[a-z][a-z0-9_-]*$' }), {
    category,
    default: 'galley-posts',
    isMachine: true,
    describe:
      'Alias that is searched there. Its indices are called so with the time they were made; two installations need two.'
  }),
  search_username: setting(Type.String({ maxLength: 200, pattern: '^[^:\\x00-\\x1f]*$' }), {
    category,
    default: '',
    isMachine: true,
    describe: 'User at search_url, with search_password; empty where there is none.'
  }),
  search_password: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'Password of search_username.',
    isSecret: true,
    sentTo: 'search_url'
  }),
  search_api_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'API key of Elasticsearch, instead of a user.',
    isSecret: true,
    sentTo: 'search_url'
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
      'Milliseconds after its arrival in which a search answers with what it has found so far (`degraded: true`). Where many are asked at once, each gets a part of it. Raise it for an embedder that needs longer.'
  }),
  search_cache_mb: setting(Type.Integer({ minimum: 0, maximum: 4096 }), {
    category,
    default: 24,
    describe: 'Megabytes of the search index and of results that one process caches; they fill as readers search.'
  })
}
