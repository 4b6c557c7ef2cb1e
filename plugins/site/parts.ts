import type { Changes, Db, Emit, Installation, Log, Settings, SettingsStore } from '#core'
import type { Posts, PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { createCodeColours } from './article/coloured-code.ts'
import { createApprovedPages } from './reads/approved-pages.ts'
import { createLists } from './reads/lists.ts'
import { createSite } from './reads/site.ts'
import { createSitemap } from './reads/sitemap.ts'
import type { siteSettings } from './settings.ts'
import { createStaticPages } from './static-pages.ts'
import { defaultTheme } from './theme/theme.ts'

export interface SiteContext {
  needs: { posts: Posts; published: PublishedPosts; store: SettingsStore; search: PostSearch | undefined }
  hasMedia: boolean
  settings: Settings<typeof siteSettings>
  db: Db
  changes: Changes
  emit: Emit
  installation: Installation
  log: Log
}

/** Everything the plugin consists of, wired. */
export type SiteParts = ReturnType<typeof createParts>

export function createParts({ needs, hasMedia, settings, db, changes, emit, installation, log }: SiteContext) {
  const { posts, published, store, search } = needs
  const approved = createApprovedPages({ db, changes })
  const hasSearch = search !== undefined
  const site = createSite({ published, settings, store, staticPages: approved, installation, hasSearch, hasMedia })
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
    sitemap: createSitemap({ db, published, site, staticPages: approved }),
    staticPages: createStaticPages({ db, changes, emit, render: posts.render }),
    colourCode: createCodeColours(),
    theme: defaultTheme
  }
}
