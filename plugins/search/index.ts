import { service } from '#core'
import type { SimilarPosts } from '#plugins/posts'

/** Compares texts with the published posts: by their titles in meaning, by their passages word for word. */
export const SimilarPostsService = service<SimilarPosts>('search.similar')
