import type { Changes, Db } from '#core'
import { mediaCacheTag } from '../cache-tag.ts'
import type { Covers } from '../covers/covers.ts'
import { sourceHash } from '../covers/source.ts'
import type { Images, StoredImage } from '../images/images.ts'
import { findPodcastArt, savePodcastArt } from '../repository/podcast-art.ts'
import type { PodcastFeed } from './podcast-feed.ts'

/** The picture of a podcast whose operator has chosen none. */
export interface PodcastArt {
  /** Draws and stores it. */
  draw(signal: AbortSignal): Promise<StoredImage>
  /**
   * Draws it where the feed needs one and what is on it has changed. The file before it stays: directories fetch it when
   * they like.
   */
  update(signal: AbortSignal): Promise<void>
  /** File name of the podcast's picture, drawn where nobody chose one; null where the chosen one lies on another site. */
  find(signal: AbortSignal): Promise<string | null>
}

export interface PodcastArtDeps {
  db: Db
  changes: Pick<Changes, 'touch'>
  covers: Pick<Covers, 'planPodcastCover'>
  images: Pick<Images, 'store' | 'isStored' | 'find'>
  feed: Pick<PodcastFeed, 'describe' | 'hasEpisodes'>
}

export function createPodcastArt({ db, changes, covers, images, feed }: PodcastArtDeps): PodcastArt {
  const draw = async (signal: AbortSignal) => images.store(await covers.planPodcastCover(feed.describe()).make(signal))
  const drawChanged = async (signal: AbortSignal): Promise<string> => {
    const source_hash = sourceHash(covers.planPodcastCover(feed.describe()))
    const art = await findPodcastArt(db)
    if (art?.source_hash === source_hash && (await images.isStored(art.filename))) return art.filename
    const { filename } = await draw(signal)
    await db.transaction(async tx => {
      await savePodcastArt(tx, { filename, source_hash })
      await changes.touch(tx, mediaCacheTag)
    })
    return filename
  }
  return {
    draw,
    update: async signal => {
      if (feed.describe().imageUrl === '' && (await feed.hasEpisodes())) await drawChanged(signal)
    },
    find: signal => {
      const { imageUrl } = feed.describe()
      return imageUrl === '' ? drawChanged(signal) : images.find(imageUrl)
    }
  }
}
