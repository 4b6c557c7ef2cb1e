import { CONTRACT, definePlugin } from '#core'
import { PublishedPostsService } from '#plugins/posts'
import { createEpisodes } from './episodes.ts'
import { mediaRoutes } from './routes.ts'
import { mediaSettings } from './settings.ts'
import { cleanJob } from './storage/clean-job.ts'
import { createConfiguredStore } from './storage/configured-store.ts'

export default definePlugin({
  name: 'media',
  contract: CONTRACT,
  describe: "Images and the posts' audio and video files",
  needs: { published: PublishedPostsService },
  settings: mediaSettings,
  setup({ needs: { published }, settings, db, installation, log }) {
    const store = createConfiguredStore(settings, installation)
    return {
      services: {},
      routes: mediaRoutes(createEpisodes({ db, published, store, installation }), store),
      jobs: [cleanJob(store, log)]
    }
  }
})
