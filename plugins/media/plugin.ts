import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { CostsService } from '#plugins/costs'
import { NotifyService } from '#plugins/notify'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { StorageService } from '#plugins/storage'
import { mediaChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { coverCheck } from './covers/cover-check.ts'
import { coverSettings } from './covers/settings.ts'
import { ImagesService, PictureSizesService, SpeechService } from './index.ts'
import { budgetSubscriptions } from './jobs/budget-waits.ts'
import { mediaJobs } from './jobs/jobs.ts'
import { workRoot } from './jobs/work-folder.ts'
import { podcastSettings } from './podcast/settings.ts'
import { postSubscriptions } from './post-subscriptions.ts'
import { mediaRoutes } from './routes.ts'
import { mediaSettings } from './settings.ts'
import { meteredSpeech } from './speech/metered.ts'
import { cleanJob } from './storage/clean-job.ts'
import { checkStoreSetting, storeCheck } from './storage/store-check.ts'

export default definePlugin({
  name: 'media',
  contract: CONTRACT,
  describe: "Images and the posts' audio and video files",
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    storage: StorageService,
    notify: optional(NotifyService),
    costs: optional(CostsService),
    store: optional(SettingsStoreService)
  },
  provides: { speech: SpeechService, images: ImagesService, sizes: PictureSizesService },
  settings: { ...mediaSettings, ...coverSettings, ...podcastSettings },
  setup(context) {
    const components = createComponents(context)
    const { speech, images, sizes, covers, installation } = components
    const { storage, store } = context.needs
    store?.check('speech_driver', speech.faultOf)
    if (store !== undefined) checkStoreSetting(store, storage)
    return {
      services: { speech: meteredSpeech(components.costs, speech), images, sizes },
      routes: mediaRoutes(components),
      commands: {
        media: {
          describe: 'Pictures, and the audio, films and covers of posts',
          load: async () => (await import('./commands/media.ts')).mediaCommands(components)
        }
      },
      jobs: [cleanJob(components.store, context.log), ...mediaJobs(components, components)],
      subscriptions: [...postSubscriptions(components), ...budgetSubscriptions(components)],
      checks: [
        ...mediaChecks(components),
        coverCheck(covers),
        storeCheck(storage, context.settings, { home: installation.home, work: workRoot(installation) })
      ]
    }
  }
})
