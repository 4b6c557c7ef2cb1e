import { CONTRACT, definePlugin } from '#core'
import { PublishedPostsService } from '#plugins/posts'
import { createEpisodes } from './episodes.ts'
import { mediaRoutes } from './routes.ts'

export default definePlugin({
  name: 'media',
  contract: CONTRACT,
  describe: "Images and the posts' audio and video files",
  needs: { published: PublishedPostsService },
  setup: ({ needs: { published }, db, installation }) => ({
    services: {},
    routes: mediaRoutes(createEpisodes({ db, published, installation }), installation)
  })
})
