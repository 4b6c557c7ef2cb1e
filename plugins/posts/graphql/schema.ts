import { postStatuses } from '../states.ts'

/** Posts in GraphQL: the fields of the REST API's posts in camelCase, and what a reader may want beside them. */
export const schema = `
enum PostStatus { ${postStatuses.join(' ')} }
type PostMedia {
  podcastUrl: String
  "The film; where there is only the one for phones, that."
  videoUrl: String
  "Of the media asked for: pending, done or failed."
  state: String @bearer(scope: "api:read")
  "Why they could not be made, or the last try failed."
  error: String @bearer(scope: "api:read")
}
"A public post."
type Post {
  postId: ID!
  slug: String!
  title: String!
  excerpt: String
  "Markdown. Null when the post stopped being public meanwhile."
  content: String @cost(weight: 10)
  "Sanitised HTML; a leading H1 is left out, because readers get the title instead."
  contentHtml: String @cost(weight: 10)
  status: PostStatus!
  "Slug of the category."
  category: String
  "The category with its name."
  categoryDetails: Category
  tags: [String!]!
  "The tags with their slugs."
  tagDetails: [Tag!]!
  seoTitle: String
  seoDescription: String
  seoKeywords: [String!]!
  featuredImageUrl: String
  publishedAt: DateTime
  nicheSlug: String
  "BCP 47; the site's language where the post has none."
  language: String!
  author: String
  media: PostMedia!
  wordCount: Int!
  readingMinutes: Int!
  createdAt: DateTime!
  updatedAt: DateTime!
  "Gate that holds the post."
  awaitingGate: String @bearer(scope: "api:read")
  metadata: JSON @bearer(scope: "api:read")
}
type Category {
  slug: String!
  name: String!
  description: String!
  "Public posts."
  postCount: Int!
  "\`after\` of what follows it in the list of categories."
  cursor: String!
}
type Tag {
  slug: String!
  name: String!
  "Public posts."
  postCount: Int!
  "\`after\` of what follows it in the list of tags."
  cursor: String!
}
type PostEdge {
  node: Post!
  cursor: String!
}
type PostConnection {
  edges: [PostEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}
extend type Query {
  "Public posts, newest first."
  posts(first: Int! = 20, after: String, category: String, tag: String): PostConnection! @public @cost(weight: 10)
  "A public post; null when there is none. By a former slug, the post as it is now."
  post(slug: String!): Post @public @cost(weight: 10)
  "Categories that have public posts, by slug."
  categories(first: Int! = 100, after: String): [Category!]! @public @cost(weight: 100)
  "Tags that public posts have, by slug."
  tags(first: Int! = 100, after: String): [Tag!]! @public @cost(weight: 100)
}`
