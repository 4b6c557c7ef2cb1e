import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { PublishedPostsService } from '#plugins/posts'
import { mediaChecks } from './checks.ts'
import { createEpisodes } from './episodes.ts'
import { createImages } from './images/images.ts'
import { createPictureProcess } from './images/picture-process.ts'
import { SpeechService } from './index.ts'
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
  needs: { published: PublishedPostsService, store: optional(SettingsStoreService) },
  provides: { speech: SpeechService },
  settings: { ...mediaSettings, ...podcastSettings },
  setup({ needs, settings, db, changes, installation, log }) {
    const { published } = needs
    const store = createConfiguredStore(settings, installation)
    const files = createCachedFiles(store, { storeName: () => settings.get('media_store') })
    const images = createImages({ store, pictures: createPictureProcess(), installation })
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
          load: async () => (await import('./commands/media.ts')).mediaCommands(images)
        }
      },
      checks: mediaChecks(feed),
      jobs: [cleanJob(store, log)]
    }
  }
})
