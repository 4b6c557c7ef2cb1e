import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { NotifyService } from '#plugins/notify'
import { PublishedPostsService } from '#plugins/posts'
import { RevalidationService } from '#plugins/revalidation'
import { PostSearchService } from '#plugins/search'
import { StorageService } from '#plugins/storage'
import { exportCheck } from './checks.ts'
import { createExports } from './exports.ts'
import { ExportService } from './index.ts'
import { followInstallation } from './installation-changes.ts'
import { createJsonSurface } from './json-surface.ts'
import { followPosts } from './post-subscriptions.ts'
import { createRebuildJobs } from './rebuild-jobs.ts'
import { createRefreshRequest, refreshJob, verifyJob } from './refresh.ts'
import { markCategoryChanged } from './repository/changes.ts'
import { exportRoutes } from './routes.ts'
import { exportSettings } from './settings.ts'
import { readStatus } from './status.ts'
import { createSurfaces } from './surfaces.ts'

export default definePlugin({
  name: 'export',
  contract: CONTRACT,
  describe: 'The public posts as static files, in a folder or a bucket',
  needs: {
    published: PublishedPostsService,
    storage: StorageService,
    store: optional(SettingsStoreService),
    notify: optional(NotifyService),
    search: optional(PostSearchService),
    revalidation: optional(RevalidationService)
  },
  provides: { export: ExportService },
  settings: exportSettings,
  setup({ needs: { store, revalidation, ...needs }, settings, db, enqueue, ...context }) {
    const { storage, notify } = needs
    const surfaces = createSurfaces()
    surfaces.add(createJsonSurface({ db, ...needs, ...context }))
    const timeZone = () => store?.value('operator_timezone') ?? 'UTC'
    const exports = createExports({ surfaces, settings, timeZone, db, ...needs, ...context })
    const requestRefresh = createRefreshRequest({ db, enqueue })
    followInstallation(store, { db, storage, requestRefresh, ...context })
    const status = () => readStatus(db, { settings, storage, ...context }, revalidation)
    return {
      services: { export: { register: surfaces.add, requestRefresh, refresh: exports.refresh } },
      routes: exportRoutes(createRebuildJobs({ exports, db, ...context })),
      commands: {
        export: {
          describe: 'The static export of the public posts',
          load: async () => (await import('./commands/export.ts')).exportCommands(exports, status)
        }
      },
      jobs: [refreshJob(exports), verifyJob(exports, { db, notify })],
      subscriptions: followPosts(exports, requestRefresh, slug => markCategoryChanged(db, slug)),
      checks: [exportCheck({ db, store, storage, settings, ...context })],
      onRestore: exports.restored
    }
  }
})
