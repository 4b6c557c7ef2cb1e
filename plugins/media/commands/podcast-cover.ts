import { command } from '#core'
import type { Covers } from '../covers/covers.ts'
import type { PodcastFeed } from '../podcast/podcast-feed.ts'

export const podcastCoverCommand = (covers: Pick<Covers, 'makePodcastCover'>, feed: Pick<PodcastFeed, 'describe'>) =>
  command({
    describe: 'Draw the square cover of the podcast, 3000 × 3000, from its title and category',
    returns: 'Image',
    args: {},
    async run({ terminal }) {
      const { title, category, language } = feed.describe()
      const image = await covers.makePodcastCover({ title, category, language }, terminal.signal)
      terminal.note(`To use it: galley settings set podcast_image_url ${image.url}`)
      return image
    },
    text: ({ url, width, height, bytes }) => `${url} (${width} × ${height}, ${bytes} bytes)`
  })
