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
}

export interface PodcastArtDeps {
  db: Db
  changes: Pick<Changes, 'touch'>
  covers: Pick<Covers, 'planPodcastCover'>
  images: Pick<Images, 'store' | 'isStored'>
  feed: Pick<PodcastFeed, 'describe' | 'hasEpisodes'>
}

export function createPodcastArt({ db, changes, covers, images, feed }: PodcastArtDeps): PodcastArt {
  const draw = async (signal: AbortSignal) => images.store(await covers.planPodcastCover(feed.describe()).make(signal))
  return {
    draw,
    update: async signal => {
      if (feed.describe().imageUrl !== '' || !(await feed.hasEpisodes())) return
      const source_hash = sourceHash(covers.planPodcastCover(feed.describe()))
      const art = await findPodcastArt(db)
      if (art?.source_hash === source_hash && (await images.isStored(art.filename))) return
      const { filename } = await draw(signal)
      await db.transaction(async tx => {
        await savePodcastArt(tx, { filename, source_hash })
        await changes.touch(tx, mediaCacheTag)
      })
    }
  }
}
