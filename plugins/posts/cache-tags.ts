import type { FastifyRequest } from 'fastify'

/** What every write to posts touches: cached answers and counts are dropped by it. */
export const postsCacheTag = 'posts'
/** Touched when memory has taken up what posts say now, which is after their own change. */
export const postEntriesCacheTag = 'posts.entries'

/** What a CDN purges by: one post, the posts of a category or of a tag, the name of a category. Slugs are ASCII without blanks. */
export const purgeTag = {
  post: (slug: string) => `post:${slug}`,
  category: (slug: string) => `category:${slug}`,
  tag: (slug: string) => `tag:${slug}`,
  categoryName: (slug: string) => `category-name:${slug}`
}

/**
 * Says that an answer shows no other posts than these tags name. Without it a CDN purges the answer after every change of any
 * post. Our own cached response goes with every change all the same.
 */
export function purgeBy(request: FastifyRequest, ...tags: readonly string[]): void {
  const ofRule = request.routeOptions.config.cache?.tags ?? []
  const others = ofRule.filter(tag => tag !== postsCacheTag && tag !== postEntriesCacheTag)
  request.purgeTags = [...new Set([...others, ...tags])]
}
