import { type TSchema, Type } from 'typebox'
import { pageOf, pageParameters, visible } from '#core'
import { longestSlug, slugPattern } from './slug.ts'
import { postStatuses } from './states.ts'

/** `type: [x, null]` serialises without trying alternatives, which `anyOf` does for every value. */
const nullable = <S extends { type: string }>(schema: S & TSchema) =>
  Type.Unsafe<string | null>({ ...schema, type: [schema.type, 'null'] })
const NullableString = nullable(Type.String())
const list = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), { maxItems: 50 })
const nullableList = Type.Unsafe<string[] | null>({ ...list, type: ['array', 'null'] })
const strict = { additionalProperties: false }

const headFields = {
  post_id: Type.String({ format: 'uuid' }),
  slug: Type.String(),
  title: Type.String(),
  excerpt: NullableString
}
const restFields = {
  status: Type.Enum([...postStatuses]),
  category: nullable(Type.String({ description: 'Slug of the category.' })),
  tags: Type.Array(Type.String()),
  seo_title: NullableString,
  seo_description: NullableString,
  seo_keywords: Type.Array(Type.String()),
  featured_image_url: NullableString,
  published_at: NullableString,
  awaiting_gate: Type.Optional(
    nullable(Type.String({ description: 'Gate that holds the post; shown to clients with a token.' }))
  ),
  niche_slug: NullableString,
  media: Type.Object({ podcast_url: NullableString, video_url: NullableString }),
  word_count: Type.Integer(),
  reading_minutes: Type.Integer(),
  metadata: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Shown to clients with a token.' })
  ),
  created_at: Type.String(),
  updated_at: Type.String()
}

/** A post as lists have it. */
export const PostSummary = Type.Object({ ...headFields, ...restFields })
/** A post with its text. */
export const Post = Type.Object({
  ...headFields,
  content: Type.String({ description: 'Markdown.' }),
  content_html: Type.String({ description: 'Sanitised HTML; a leading H1 is left out, it is the title.' }),
  ...restFields
})
export const PostPage = pageOf(PostSummary)

export const PostQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Enum([...postStatuses], { description: 'Any other than published needs a bearer token.' })
    ),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Slug of a category.' })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Slug of a tag.' })),
    ...pageParameters
  },
  strict
)
export const PageQuery = Type.Object({ ...pageParameters }, strict)

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Words, "phrases", -without, begin*, this or that.'
    }),
    ...pageParameters
  },
  strict
)
const degraded = Type.Optional(
  Type.Boolean({ description: 'True when no embedder answered: found by words alone. Absent otherwise.' })
)
const score = Type.Number({ description: 'Orders the matches; not a probability.' })
const snippet = Type.String({ description: 'HTML: escaped text with the words found in <mark>.' })
export const FoundPage = Type.Object({
  ...pageOf(Type.Object({ ...headFields, ...restFields, score, snippet })).properties,
  degraded
})
export const defaultRelated = 5
export const mostRelated = 20
export const RelatedQuery = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRelated, default: defaultRelated })) },
  strict
)
export const RelatedPage = Type.Object({
  ...pageOf(Type.Object({ ...headFields, ...restFields, score })).properties,
  degraded
})

export const SlugParameter = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 200 }) })
export const IdParameter = Type.Object({
  post_id: Type.String({ minLength: 1, maxLength: 100, description: 'A UUID, or 8 or more of its first characters.' })
})
export const PreviewParameter = Type.Object({ preview_token: Type.String({ minLength: 1, maxLength: 1000 }) })

/** What may be edited. null clears an optional field. */
export const PostPatch = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 300, pattern: visible })),
    slug: Type.Optional(Type.String({ maxLength: longestSlug, pattern: slugPattern })),
    excerpt: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    content: Type.Optional(Type.String({ minLength: 1, maxLength: 500_000, pattern: visible })),
    category: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }))),
    tags: Type.Optional(nullableList),
    seo_title: Type.Optional(nullable(Type.String({ maxLength: 300 }))),
    seo_description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    seo_keywords: Type.Optional(nullableList),
    featured_image_url: Type.Optional(
      nullable(Type.String({ maxLength: 2000, pattern: '^(https?://[^\\s/]|/[^/\\s])[^\\s]*$' }))
    )
  },
  { ...strict, minProperties: 1 }
)

export const Unpublished = Type.Object({
  post_id: Type.String({ format: 'uuid' }),
  unpublished: Type.Boolean({ description: 'False when it was not published: nothing changed.' }),
  status: Type.Enum([...postStatuses])
})

const categoryFields = {
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  post_count: Type.Integer()
}
export const CategoryPage = pageOf(Type.Object(categoryFields))
export const CategoryWithPosts = Type.Object({ ...categoryFields, posts: PostPage })
export const TagPage = pageOf(Type.Object({ slug: Type.String(), name: Type.String(), post_count: Type.Integer() }))
