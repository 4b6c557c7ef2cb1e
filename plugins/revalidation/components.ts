import type { Context, Needs, SettingsStore } from '#core'
import type { Notify } from '#plugins/notify'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { createCdn } from './cdn/cdn.ts'
import { createCloudflare } from './cdn/cloudflare.ts'
import { createFastly } from './cdn/fastly.ts'
import { createVarnish } from './cdn/varnish.ts'
import { followSettings } from './corrected-settings.ts'
import { createFrontEnd } from './front-end.ts'
import type { Revalidation } from './index.ts'
import { type ChangedPost, changeOfPosts } from './public-changes.ts'
import { createQueue } from './queue.ts'
import { createTargetSender } from './sender.ts'
import type { revalidationSettings } from './settings.ts'
import { readStatuses } from './statuses.ts'
import { createTargets } from './targets.ts'
import { createWebSub } from './web-sub.ts'

type ComponentsContext = Omit<Context<Needs, typeof revalidationSettings>, 'needs'> & {
  needs: { posts: Posts; published: PublishedPosts; notify: Notify | undefined; store: SettingsStore }
}

/** Creates and connects the components of the plugin. */
export function createComponents({ needs, settings, db, enqueue, installation, log, now }: ComponentsContext) {
  const { notify, store, ...readers } = needs
  const baseUrl = () => installation.baseUrl()
  const ownBaseUrl = () => (store.value('post_url') === '' ? baseUrl() : undefined)
  const read = { ...readers, ownBaseUrl }
  const targets = createTargets()
  targets.register(createFrontEnd(settings, now))
  targets.register(createWebSub({ settings, baseUrl, now }))
  const tagHeader = () => store.value('cache_tag_header')
  for (const driver of [createFastly(settings), createCloudflare(settings), createVarnish(settings)])
    targets.register(createCdn(driver, { tagHeader, now }))
  const queue = createQueue({ db, enqueue, targets })
  followSettings({ store, queue, log })
  const sender = createTargetSender({ db, targets, queue, notify, log, now })
  const service: Revalidation = { registerTarget: targets.register, statuses: () => readStatuses(db, targets) }
  return {
    targets,
    queue,
    sender,
    service,
    /** Queues what readers see of posts that changed. */
    follow: async (changed: readonly ChangedPost[]) => {
      if (targets.all().some(target => target.isSetUp())) await queue.add(await changeOfPosts(read, db, changed))
    }
  }
}
