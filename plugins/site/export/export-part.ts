import { type Db, type Enqueue, type Job, on, type Subscription } from '#core'
import type { StaticExport } from '#plugins/export'
import type { PostSearch } from '#plugins/search'
import type { SiteComponents } from '../components.ts'
import { SitePageChanged } from '../index.ts'
import { followRelated, relateJob } from './related.ts'
import { createSiteSurface } from './surface.ts'

interface ExportPartContext {
  needs: { staticExport: StaticExport | undefined; search: PostSearch | undefined }
  db: Db
  enqueue: Enqueue
}

/** What the site does for the static export, where there is one. */
export function createExportPart(
  { needs: { staticExport, search }, db, enqueue }: ExportPartContext,
  components: SiteComponents
): { jobs: Job[]; subscriptions: Subscription[] } {
  if (staticExport === undefined) return { jobs: [], subscriptions: [] }
  staticExport.register(createSiteSurface(components, () => components.settings.get('site_export')))
  const followPages = on(SitePageChanged, () => staticExport.requestRefresh())
  if (search === undefined) return { jobs: [], subscriptions: [followPages] }
  return {
    jobs: [relateJob({ db, enqueue, search, staticExport })],
    subscriptions: [followPages, ...followRelated({ db, enqueue })]
  }
}
