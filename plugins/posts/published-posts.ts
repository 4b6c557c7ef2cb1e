import { type CacheRule, type Db, type Queryable, service } from '#core'
import type { ListIdentity, Page, PageQuery } from '#lists'
import type { PagePatterns } from './reads/links.ts'
import type { Post } from './reads/representation.ts'
import type { CategoryRow, TagRow } from './repository/catalogue.ts'
import type { Neighbours } from './repository/pages.ts'
import type { PostSummary } from './schemas.ts'

/** `revision` counts changes of what readers see. */
export interface Revised<Item> {
  post: Item
  revision: number
}

/** A public post by its number, with the beginning of its text. */
export interface NumberedPost {
  /** Small number that stands for the post. */
  post_no: number
  post: PostSummary
  revision: number
  /** Markdown. */
  beginning: string
}

/** Which public posts: `category` and `tag` are slugs, `medium` is `podcast`, `video` or `video_short`. */
export interface PublishedFilter {
  category?: string
  tag?: string
  medium?: string
}

/** A part of a list, newest first; `total` is of all parts. */
export interface ListedPosts {
  items: PostSummary[]
  total: number
}

/** What pages for readers are made of. All of it is public, as `PublishedPosts` says. */
export interface PublishedPages {
  /** Says where pages are: the addresses of posts, categories and tags while `post_url` is empty. Register in `setup`. */
  servePagesAt(patterns: PagePatterns): void
  /** The post with this slug. Calls at the same time share a statement. */
  find(slug: string): Promise<Post | undefined>
  listed(db: Db, query: PublishedFilter & { limit: number; offset: number }): Promise<ListedPosts>
  /** How many there are; cached. */
  count(filter: PublishedFilter): Promise<number>
  category(db: Queryable, slug: string): Promise<Omit<CategoryRow, 'post_count'> | undefined>
  /** The categories of posts that are public. Whether others have public posts is not asked. */
  categoriesOf(db: Queryable, slugs: readonly string[]): Promise<Omit<CategoryRow, 'post_count'>[]>
  tag(db: Queryable, slug: string): Promise<Omit<TagRow, 'post_count'> | undefined>
  /** The slug of the page of a tag. */
  slugOfTag(name: string): string
  neighbours(db: Queryable, post: { post_id: string; published_at: string | null }): Promise<Neighbours>
  /** Slugs of the public posts right before and right after any of these, by one statement. */
  neighbourSlugs(db: Queryable, post_ids: readonly string[]): Promise<string[]>
  /** The addresses of posts, newest first, with the time of their last change. */
  addresses(db: Queryable, part: { limit: number; offset: number }): Promise<{ url: string; updated_at: string }[]>
}

/** What the settings say of the publication. */
export interface PublishedSite {
  title: string
  description: string
  /** BCP 47. */
  language: string
  /** Its address. */
  home: string
}

/** What is public, in the shapes of the REST API as anonymous readers get them, for surfaces beside it. Newest first. */
export interface PublishedPosts extends PublishedPages {
  /** All public posts without their text, in pages of `size`: one page is in memory at a time. */
  pages(db: Queryable, size: number): AsyncIterable<readonly Revised<PostSummary>[]>
  /** The public posts among `post_ids`, with their text. */
  texts(db: Queryable, post_ids: readonly string[]): Promise<Revised<Post>[]>
  /**
   * One page of the public posts that offer one of these kinds of media, in the caller's list.
   * @throws InputError for a cursor of another list.
   */
  listWithMedia(
    db: Queryable,
    media: readonly string[],
    query: PageQuery & { identity: ListIdentity }
  ): Promise<Page<PostSummary>>
  /** The public posts with these numbers, with the first `textLength` characters of their text. */
  byNumber(db: Queryable, post_nos: readonly number[], textLength: number): Promise<NumberedPost[]>
  /** Changes with the settings that decide how public posts read: the addresses and the language of the site. */
  settingsKey(): string
  /** A text, or an address, with the pictures that galley stores at its present address. Posts that are read have it already. */
  withPictures(text: string): string
  site(): PublishedSite
  /** The address of the post with this slug. */
  addressOf(slug: string): string
  isPublic(db: Queryable, post_id: string): Promise<boolean>
  /** The slug of the public post with this id; undefined for any other. */
  findSlug(db: Queryable, post_id: string): Promise<string | undefined>
  /** The ids of the public posts that have these slugs, or used to have them; others are left out. */
  idsOf(db: Queryable, slugs: readonly string[]): Promise<Map<string, string>>
  /** The present slug of the public post that used to have this one. */
  findCurrentSlug(db: Queryable, slug: string): Promise<string | undefined>
  /** How long an answer made of public posts holds: until a post, a setting or one of `tags` changes, or a slot is reached. */
  cacheRule(...tags: string[]): CacheRule
  /** Every category and every tag that has public posts, by slug. */
  categories(db: Queryable): Promise<CategoryRow[]>
  tags(db: Queryable): Promise<TagRow[]>
  /** The newest posts as RSS 2.0 and as JSON Feed 1.1. */
  feedXml(db: Queryable): Promise<string>
  feedJson(db: Queryable): Promise<string>
}
export const PublishedPostsService = service<PublishedPosts>('posts.published')
