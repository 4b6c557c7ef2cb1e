import type { SimilarPosts } from '../contract/similar-posts.ts'

/** Compares posts by whatever was registered last. */
export interface Comparison extends SimilarPosts {
  use(similar: SimilarPosts): void
}

/** Until something is registered, no post is like another. */
const nothing: SimilarPosts = {
  nearestTitle: async () => null,
  nearestText: async () => null,
  nearestOf: () => null,
  findDuplicates: async () => new Map()
}

export function createComparison(): Comparison {
  let similar = nothing
  return {
    use(registered) {
      similar = registered
    },
    nearestTitle: title => similar.nearestTitle(title),
    nearestText: (title, content) => similar.nearestText(title, content),
    nearestOf: (content, posts) => similar.nearestOf(content, posts),
    findDuplicates: (candidates, others, isDuplicate) => similar.findDuplicates(candidates, others, isDuplicate)
  }
}
