import type { Covers } from '../covers/covers.ts'
import type { Images } from '../images/images.ts'
import type { PodcastFeed } from '../podcast/podcast-feed.ts'
import { addCommand } from './add.ts'
import { podcastCoverCommand } from './podcast-cover.ts'

export interface MediaCommandParts {
  images: Images
  covers: Covers
  feed: PodcastFeed
}

export const mediaCommands = ({ images, covers, feed }: MediaCommandParts) => ({
  add: addCommand(images),
  'podcast-cover': podcastCoverCommand(covers, feed)
})
