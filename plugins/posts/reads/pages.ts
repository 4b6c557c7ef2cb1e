import { access, type CacheRule } from '#core'
import { type ListIdentity, type PageQuery, type PageRequest, pageRequest } from '#lists'
import { postsCacheTag } from '../cache-tags.ts'
import type { NextPublication } from './next-publication.ts'

/** A public read: cached until a post or a setting (addresses, titles) changes, or a slot is reached. */
export function publicRead(
  next: NextPublication,
  ...tags: string[]
): { access: typeof access.public; cache: CacheRule } {
  return {
    access: access.public,
    cache: { tags: [postsCacheTag, 'settings', ...tags], until: next.at, prepare: next.read }
  }
}

/** The page of posts asked for. Its cursor holds the place in time, as PostgreSQL writes it, and the id. */
export const postPage = (query: PageQuery, of: ListIdentity): PageRequest =>
  pageRequest(query, ['timestamp', 'uuid'], of)

export const cursorOf = ({ sorted_at, post_id }: { sorted_at: string; post_id: string }) =>
  [sorted_at, post_id] as const
