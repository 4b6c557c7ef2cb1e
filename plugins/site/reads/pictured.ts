import type { PictureSizes } from '#plugins/media'
import type { PostSummary } from '#plugins/posts'
import { type PictureReads, readPictures } from '../article/picture-sizes.ts'
import type { Pictured } from '../views.ts'

/** Posts as pages show them. `isComplete` is false when their pictures could not be read in time: later they may be. */
interface PicturedPosts<Post> {
  posts: Pictured<Post>[]
  isComplete: boolean
}

/** Adds what is known of the posts' pictures, where the media store has them. */
export async function withPictures<Post extends Pick<PostSummary, 'featured_image_url'>>(
  posts: readonly Post[],
  sizes: PictureSizes | undefined,
  reads?: PictureReads
): Promise<PicturedPosts<Post>> {
  const addresses = new Set(posts.flatMap(({ featured_image_url }) => featured_image_url ?? []))
  if (sizes === undefined || addresses.size === 0) return { posts: [...posts], isComplete: true }
  const known = await readPictures(addresses, sizes, reads)
  return {
    posts: posts.map(post => ({ ...post, picture: known?.get(post.featured_image_url ?? '') ?? null })),
    isComplete: known !== undefined
  }
}
