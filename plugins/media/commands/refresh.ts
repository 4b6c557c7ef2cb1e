import { command } from '#core'
import type { PlacedFiles } from '../jobs/placed-files.ts'
import type { PodcastArt } from '../podcast/podcast-art.ts'

export const refreshCommand = (placed: PlacedFiles, art: Pick<PodcastArt, 'update'>) =>
  command({
    describe: 'List the episodes that you put into the store, and draw the picture of the podcast where it has none',
    returns: '{posts}',
    args: {},
    async run({ terminal }) {
      const posts = await placed.refresh()
      await art.update(terminal.signal)
      return { posts }
    },
    text: ({ posts }) => `Posts whose files are others now: ${posts}.`
  })
