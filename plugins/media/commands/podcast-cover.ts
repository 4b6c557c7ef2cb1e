import { command } from '#core'
import type { PodcastArt } from '../podcast/podcast-art.ts'

export const podcastCoverCommand = (art: Pick<PodcastArt, 'draw'>) =>
  command({
    describe: 'Draw the square cover of the podcast, 3000 × 3000, from its title and category',
    returns: 'Image',
    args: {},
    async run({ terminal }) {
      const image = await art.draw(terminal.signal)
      terminal.note(`To use it whatever changes: galley settings set podcast_image_url ${image.url}`)
      return image
    },
    text: ({ url, width, height, bytes }) => `${url} (${width} × ${height}, ${bytes} bytes)`
  })
