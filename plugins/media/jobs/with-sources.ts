import { type Db, type Tx, UnavailableError } from '#core'
import type { Post, Posts } from '#plugins/posts'
import type { Covers } from '../covers/covers.ts'
import type { Images } from '../images/images.ts'
import type { SpeechDrivers } from '../speech/registry.ts'
import type { MediaSources } from './media-outputs.ts'

export interface WithSourcesDeps {
  db: Db
  posts: Pick<Posts, 'readStored'>
  speech: Pick<SpeechDrivers, 'chosen'>
  images: Pick<Images, 'find'>
  covers: Pick<Covers, 'designKey'>
}

/** All that the media of a post are made from, as it is now. The post is locked. */
export type SourcesOf = (post: Post) => MediaSources

/**
 * Runs `work` in a transaction. The picture of the post is looked up before, since a bucket that answers late must not hold a lock:
 * where the post has another one by then, both are done again.
 * @throws UnavailableError when the post gets one picture after another; what `work` throws
 */
export type WithSources = <T>(post_id: string, work: (tx: Tx, sourcesOf: SourcesOf) => Promise<T>) => Promise<T>

const maxTries = 5

class PictureChanged extends Error {
  override readonly name = 'PictureChanged'
}

export async function runWithSources<T>(
  { db, posts, speech, images, covers }: WithSourcesDeps,
  post_id: string,
  work: (tx: Tx, sourcesOf: SourcesOf) => Promise<T>
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const url = (await posts.readStored(db, post_id))?.featured_image_url ?? null
    const picture = await images.find(url)
    const sourcesOf: SourcesOf = post => {
      if (post.featured_image_url !== url) throw new PictureChanged()
      return { post, voice: speech.chosen().voice, picture, design: covers.designKey(post) }
    }
    try {
      return await db.transaction(tx => work(tx, sourcesOf))
    } catch (error) {
      if (!(error instanceof PictureChanged)) throw error
    }
  }
  throw new UnavailableError(`The picture of post ${post_id} changes all the time: try again later.`)
}
