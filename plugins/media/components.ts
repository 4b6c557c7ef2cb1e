import type { Context, Needs } from '#core'
import type { Costs } from '#plugins/costs'
import type { Notify } from '#plugins/notify'
import type { Posts, PublishedPosts } from '#plugins/posts'
import type { Storage } from '#plugins/storage'
import { createCovers } from './covers/covers.ts'
import type { CoverSettings } from './covers/settings.ts'
import { coverWithdrawal } from './covers/withdrawal.ts'
import { createEpisodes } from './episodes.ts'
import { createImages } from './images/images.ts'
import { createPictureSizes } from './images/picture-sizes.ts'
import { createRenditions } from './images/renditions.ts'
import { createGeneration } from './jobs/generation.ts'
import { kindsInOrder } from './jobs/kinds.ts'
import { createMediaRequests } from './jobs/media-requests.ts'
import { createPlacedFiles } from './jobs/placed-files.ts'
import { createRemoval } from './jobs/removal.ts'
import { createPictureProcess } from './picture-process/picture-process.ts'
import { createPodcastArt } from './podcast/podcast-art.ts'
import { createPodcastFeed } from './podcast/podcast-feed.ts'
import type { podcastSettings } from './podcast/settings.ts'
import { createCachedFiles } from './serving/cached-files.ts'
import type { MediaSettings } from './settings.ts'
import { createBuiltInSpeech } from './speech/built-in.ts'
import { createConfiguredStore } from './storage/configured-store.ts'

type ComponentsContext = Omit<Context<Needs, MediaSettings & CoverSettings & typeof podcastSettings>, 'needs'> & {
  needs: {
    posts: Posts
    published: PublishedPosts
    notify: Notify | undefined
    storage: Storage
    costs: Costs | undefined
  }
}

/** Wires the plugin. */
export function createComponents({ needs, settings, db, enqueue, changes, installation, log, now }: ComponentsContext) {
  const { posts, published, notify, storage, costs } = needs
  const store = createConfiguredStore(storage, settings, installation)
  const files = createCachedFiles(store, { storeName: () => settings.get('media_store') })
  posts.registerParticipant(coverWithdrawal(posts))
  const speech = createBuiltInSpeech({ settings, log, now, costs })
  // Covers follow the posts by a job of their own.
  const kindsOnPublish = () =>
    kindsInOrder(settings.get('media_on_publish').split(',')).filter(kind => kind !== 'image')
  const pictures = createPictureProcess()
  const sizes = createPictureSizes({ store, log })
  const renditions = createRenditions({ store, pictures, sizes, log })
  const images = createImages({ store, pictures, installation, renditions })
  const covers = createCovers({ db, published, posts, images, pictures, settings, now, costs })
  const requests = createMediaRequests({ db, enqueue, posts, published, speech, images, covers, store, kindsOnPublish })
  const removal = createRemoval({ db, enqueue, changes, posts, published, store, installation, now })
  const feed = createPodcastFeed({ db, published, images, sizes, installation, settings })
  return {
    db,
    enqueue,
    changes,
    posts,
    published,
    notify,
    costs,
    installation,
    settings,
    log,
    now,
    store,
    files,
    speech,
    kindsOnPublish,
    requests,
    removal,
    feed,
    generation: createGeneration({ db, posts, requests, removal, installation }),
    images,
    sizes,
    renditions,
    covers,
    art: createPodcastArt({ db, changes, covers, images, feed }),
    placed: createPlacedFiles({ db, posts, store, changes }),
    episodes: createEpisodes({ db, published, files, changes })
  }
}

/** Everything the plugin consists of, wired. */
export type MediaComponents = ReturnType<typeof createComponents>
