import type { Db, Installation, Log, Settings, SettingsStore } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { createCodeColours } from './article/coloured-code.ts'
import { createLists } from './reads/lists.ts'
import { createSite } from './reads/site.ts'
import { createSitemap } from './reads/sitemap.ts'
import type { siteSettings } from './settings.ts'
import { defaultTheme } from './theme/theme.ts'

export interface SiteContext {
  needs: { published: PublishedPosts; store: SettingsStore; search: PostSearch | undefined }
  hasMedia: boolean
  settings: Settings<typeof siteSettings>
  db: Db
  installation: Installation
  log: Log
}

/** Everything the plugin consists of, wired. */
export type SiteParts = ReturnType<typeof createParts>

export function createParts({ needs, hasMedia, settings, db, installation, log }: SiteContext) {
  const { published, store, search } = needs
  const site = createSite({ published, settings, store, installation, hasSearch: search !== undefined, hasMedia })
  return {
    db,
    published,
    search,
    hasMedia,
    settings,
    installation,
    log,
    site,
    lists: createLists({ db, published, settings }),
    sitemap: createSitemap({ db, published, site }),
    colourCode: createCodeColours(),
    theme: defaultTheme
  }
}
