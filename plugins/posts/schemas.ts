import { slugPattern, type TSchema, Type, visibleTextPattern } from '#core'
import { pageOf, pageParameters } from '#lists'
import type { PostSummary as Summary } from './reads/representation.ts'
import { languageTag } from './settings.ts'
import { maxSlugLength } from './slug.ts'
import { postStatuses } from './states.ts'

/** `type: [x, null]` serialises without trying alternatives, which `anyOf` does for every value. */
const nullable = <S extends { type: string }>(schema: S & TSchema) =>
  Type.Unsafe<string | null>({ ...schema, type: [schema.type, 'null'] })
const text = (example: string) => Type.String({ examples: [example] })
const textOrNull = (example: string) => nullable(text(example))
const list = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), { maxItems: 50 })
const nullableList = Type.Unsafe<string[] | null>({ ...list, type: ['array', 'null'] })
const strict = { additionalProperties: false }

const headFields = {
  post_id: Type.String({ format: 'uuid' }),
  slug: text('how-tides-follow-the-moon'),
  title: text('How tides follow the moon'),
  excerpt: textOrNull('Twice a day the sea rises.')
}
const mediaAddress = nullable(Type.String({ examples: [null] }))
const restFields = {
  status: Type.Enum([...postStatuses], { examples: ['published'] }),
  category: nullable(Type.String({ description: 'Slug of the category.', examples: ['science'] })),
  tags: Type.Array(text('tides')),
  seo_title: textOrNull('How tides follow the moon'),
  seo_description: textOrNull('Why the sea rises twice a day.'),
  seo_keywords: Type.Array(text('tides')),
  featured_image_url: textOrNull('https://example.org/images/generated/cover-3f2a9c1b.png'),
  published_at: textOrNull('2026-11-21T10:00:00.000Z'),
  awaiting_gate: Type.Optional(
    nullable(Type.String({ description: 'Gate that holds the post; shown to clients with a token.', examples: [null] }))
  ),
  niche_slug: textOrNull('nature'),
  media: Type.Object({
    podcast_url: mediaAddress,
    video_url: mediaAddress,
    state: Type.Optional(
      nullable(
        Type.String({
          description: 'Of the media asked for: pending, done or failed; shown to clients with a token.',
          examples: ['done']
        })
      )
    ),
    error: Type.Optional(
      nullable(
        Type.String({
          description: 'Why they could not be made, or the last try failed; shown to clients with a token.',
          examples: [null]
        })
      )
    )
  }),
  word_count: Type.Integer({ examples: [1480] }),
  reading_minutes: Type.Integer({ examples: [7] }),
  language: Type.String({ description: 'BCP 47; the site_language where the post has none.', examples: ['en'] }),
  author: textOrNull('Ada Lovelace'),
  metadata: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Shown to clients with a token.' })
  ),
  created_at: text('2026-11-21T09:30:00.000Z'),
  updated_at: text('2026-11-21T10:00:00.000Z')
}

/** A post as lists have it. */
export const PostSummary = Type.Object({ ...headFields, ...restFields }, { title: 'PostSummary' })
export type PostSummary = Summary
/** A post with its text. */
export const Post = Type.Object(
  {
    ...headFields,
    content: Type.String({ description: 'Markdown.', examples: ['Twice a day the sea rises.'] }),
    content_html: Type.String({
      description: 'Sanitised HTML; a leading H1 is left out, because readers get the title instead.',
      examples: ['<p>Twice a day the sea rises.</p>']
    }),
    ...restFields
  },
  { title: 'Post' }
)
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
export const LabelQuery = Type.Object({ ...pageParameters }, strict)

export const SlugParameter = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 200, examples: ['how-tides-follow-the-moon'] })
})
export const IdParameter = Type.Object({
  post_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A UUID, or 8 or more of its first characters.',
    examples: ['3f2a9c1b']
  })
})
export const PreviewParameter = Type.Object({
  preview_token: Type.String({ minLength: 1, maxLength: 1000, examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln'] })
})

/** What may be edited. null clears an optional field. */
export const PostPatch = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        pattern: visibleTextPattern,
        examples: ['Why tides come twice a day']
      })
    ),
    slug: Type.Optional(
      Type.String({ maxLength: maxSlugLength, pattern: slugPattern, examples: ['why-tides-come-twice-a-day'] })
    ),
    excerpt: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500_000,
        pattern: visibleTextPattern,
        description: 'Markdown. A leading H1 is not shown, and does not change the title: send title with it.'
      })
    ),
    category: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }))),
    tags: Type.Optional(nullableList),
    seo_title: Type.Optional(nullable(Type.String({ maxLength: 300 }))),
    seo_description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    seo_keywords: Type.Optional(nullableList),
    featured_image_url: Type.Optional(
      nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^(https?://[^\\s/]|/[^/\\s])[^\\s]*$',
          description: 'An address such as https://…, or a path that begins with one /; without blanks.',
          examples: ['https://example.org/tides.png']
        })
      )
    ),
    language: Type.Optional(
      nullable(
        Type.String({
          ...languageTag,
          description: 'A language as BCP 47 has it, such as en or pt-BR; null for the site_language.',
          examples: ['pt-BR']
        })
      )
    ),
    author: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200, pattern: visibleTextPattern }))),
    niche_slug: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200, pattern: visibleTextPattern })))
  },
  { ...strict, minProperties: 1, title: 'PostPatch' }
)

export const Unpublished = Type.Object({
  post_id: Type.String({ format: 'uuid' }),
  unpublished: Type.Boolean({ description: 'False when it was not published: nothing changed.' }),
  status: Type.Enum([...postStatuses])
})

const categoryFields = {
  slug: text('science'),
  name: text('Science'),
  description: text('How the world works.'),
  post_count: Type.Integer({ examples: [12] })
}
export const Category = Type.Object(categoryFields, { title: 'Category' })
export const CategoryPage = pageOf(Category)
/** What a category is called, and what it is about; the description stays when it is left out. */
export const CategoryPut = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60, pattern: visibleTextPattern, examples: ['Science'] }),
    description: Type.Optional(Type.String({ maxLength: 1000, examples: ['How the world works.'] }))
  },
  { ...strict, title: 'CategoryPut' }
)
export const CategoryWithPosts = Type.Object({ ...categoryFields, posts: PostPage })
export const TagPage = pageOf(
  Type.Object(
    { slug: text('tides'), name: text('tides'), post_count: Type.Integer({ examples: [3] }) },
    { title: 'Tag' }
  )
)
