import { Type } from '#core'
import { maxLimit, pageOf, pageParameters } from '#lists'
import { PostSummary } from '#plugins/posts'
import { Facets, filterParameters } from './filter-query.ts'
import { maxQueryLength } from './query/query.ts'

export const PostSearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: maxQueryLength,
      pattern: '\\S',
      description: `Words, "phrases", -without, begin*, this or that; at most ${maxQueryLength} characters. The first 200,000 characters of a post are searched.`,
      examples: ['tides moon']
    }),
    ...filterParameters,
    facets: Type.Optional(Type.Boolean({ description: 'Count the labels of what is found.' })),
    ...pageParameters
  },
  { additionalProperties: false }
)
const degradedField = Type.Optional(
  Type.Boolean({
    description:
      'True when no embedder answered, so that only words count, when the time a query may take was up, when a part of the index is missing or posts wait for it, when the search engine does not answer or is behind, or when more words begin as an excluded beginning than are excluded, which is 1,000: what could be found. Absent otherwise.'
  })
)
const score = Type.Number({ description: 'Orders the matches; not a probability.', examples: [0.031] })
const snippet = Type.String({
  description:
    'HTML: escaped text with the words found in <mark>; the beginning of the text where it has none of them.',
  examples: ['The <mark>tides</mark> follow']
})
const corrected = Type.Optional(
  Type.Array(
    Type.Object(
      { from: Type.String({ examples: ['lihgthouse'] }), to: Type.String({ examples: ['lighthouse'] }) },
      { title: 'Correction' }
    ),
    {
      description:
        'Words that no public post has, each with a word that was searched for instead, or several times with up to three. In lower case, Latin letters without accents. Absent when there are none.'
    }
  )
)
export const FoundPage = Type.Object({
  ...pageOf(Type.Object({ ...PostSummary.properties, score, snippet }, { title: 'FoundPost' })).properties,
  total_is_minimum: Type.Optional(
    Type.Boolean({
      description:
        'True when more posts may be found than `total`, which says how many of them pages show: more words begin as asked for than are looked for, or a search engine finds more than 10,000 posts. Absent otherwise.'
    })
  ),
  corrected,
  facets: Facets,
  degraded: degradedField
})
/** Characters of what a suggestion is asked for by. */
const maxTypedLength = 100
export const defaultSuggestions = 8
export const SuggestQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: maxTypedLength,
      pattern: '\\S',
      description: 'What a reader has typed so far. From two letters on there are suggestions.',
      examples: ['tides mo']
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: defaultSuggestions }))
  },
  { additionalProperties: false }
)
export const SuggestionList = Type.Object({
  items: Type.Array(
    Type.Object(
      {
        title: Type.String({ examples: ['How tides follow the moon'] }),
        slug: Type.String({ examples: ['how-tides-follow-the-moon'] })
      },
      { title: 'Suggestion' }
    ),
    {
      description:
        'Public posts whose titles have the words, the last of them as a beginning: those that begin with the first word, then the newest.'
    }
  ),
  completions: Type.Array(Type.String({ examples: ['moon'] }), {
    description:
      'Words of titles that begin with the last word, those of most titles first; in lower case and without accents.'
  })
})
export const defaultRelated = 5
export const RelatedQuery = Type.Object(
  {
    ...pageParameters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultRelated }))
  },
  { additionalProperties: false }
)
export const RelatedPage = Type.Object({
  ...pageOf(Type.Object({ ...PostSummary.properties, score }, { title: 'RelatedPost' })).properties,
  degraded: degradedField
})

export const RelatedParams = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 200, examples: ['how-tides-follow-the-moon'] })
})
