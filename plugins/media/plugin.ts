import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { mediaChecks } from './checks.ts'
import { coverCheck } from './covers/cover-check.ts'
import { coverJob, coverSubscriptions } from './covers/cover-job.ts'
import { createCovers } from './covers/covers.ts'
import { coverSettings } from './covers/settings.ts'
import { createEpisodes } from './episodes.ts'
import { createImages } from './images/images.ts'
import { SpeechService } from './index.ts'
import { createPictureProcess } from './picture-process/picture-process.ts'
import { createPodcastFeed } from './podcast/podcast-feed.ts'
import { podcastSettings } from './podcast/settings.ts'
import { mediaRoutes } from './routes.ts'
import { createCachedFiles } from './serving/cached-files.ts'
import { mediaSettings } from './settings.ts'
import { createBuiltInSpeech } from './speech/built-in.ts'
import { cleanJob } from './storage/clean-job.ts'
import { createConfiguredStore } from './storage/configured-store.ts'

export default definePlugin({
  name: 'media',
  contract: CONTRACT,
  describe: "Images and the posts' audio and video files",
  needs: { posts: PostsService, published: PublishedPostsService, store: optional(SettingsStoreService) },
  provides: { speech: SpeechService },
  settings: { ...mediaSettings, ...coverSettings, ...podcastSettings },
  setup({ needs, settings, db, enqueue, changes, installation, log }) {
    const { posts, published } = needs
    const store = createConfiguredStore(settings, installation)
    const files = createCachedFiles(store, { storeName: () => settings.get('media_store') })
    const pictures = createPictureProcess()
    const images = createImages({ store, pictures, installation })
    const covers = createCovers({ db, published, posts, images, pictures, settings })
    const episodes = createEpisodes({ db, published, store, files, changes, installation })
    const feed = createPodcastFeed({ db, published, store, installation, settings })
    const speech = createBuiltInSpeech({ settings, log })
    needs.store?.check('speech_driver', speech.faultOf)
    return {
      services: { speech },
      routes: mediaRoutes({ episodes, files, images, feed }),
      commands: {
        media: {
          describe: 'Pictures of the media store',
          load: async () => (await import('./commands/media.ts')).mediaCommands({ images, covers, feed })
        }
      },
      checks: [...mediaChecks(feed), coverCheck(covers)],
      jobs: [cleanJob(store, log), coverJob(covers)],
      subscriptions: coverSubscriptions({ covers, db, enqueue })
    }
  }
})
