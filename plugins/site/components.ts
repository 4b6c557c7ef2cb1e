import type { Changes, Db, Emit, FormerAddresses, Installation, Log, Settings, SettingsStore } from '#core'
import type { PictureSizes } from '#plugins/media'
import type { Posts, PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { createCodeColours } from './article/coloured-code.ts'
import type { SitePages } from './index.ts'
import { type PageFragment, withFragments } from './page-fragments.ts'
import { createApprovedPages } from './reads/approved-pages.ts'
import { createLists } from './reads/lists.ts'
import { createSite } from './reads/site.ts'
import { createSitemap } from './reads/sitemap.ts'
import type { siteSettings } from './settings.ts'
import { createStaticPages } from './static-pages.ts'
import type { TextsByLanguage } from './texts/texts.ts'
import { createThemes } from './themes/themes.ts'

interface SiteContext {
  needs: {
    posts: Posts
    published: PublishedPosts
    store: SettingsStore
    search: PostSearch | undefined
    sizes: PictureSizes | undefined
    former: FormerAddresses | undefined
  }
  hasMedia: boolean
  settings: Settings<typeof siteSettings>
  db: Db
  changes: Changes
  emit: Emit
  installation: Installation
  log: Log
  now: () => Date
}

/** Everything the plugin consists of, wired. */
export type SiteComponents = ReturnType<typeof createComponents>

export function createComponents({
  needs,
  hasMedia,
  settings,
  db,
  changes,
  emit,
  installation,
  log,
  now
}: SiteContext) {
  const { posts, published, store, search, sizes, former } = needs
  const approved = createApprovedPages({ db, changes })
  const hasSearch = search !== undefined
  const pageFragments: PageFragment[] = []
  const themes = withFragments(
    createThemes({ settings, packagesFolder: installation.packagesFolder, log, now }),
    pageFragments
  )
  const addedTexts: TextsByLanguage[] = []
  const pages: SitePages = {
    addTexts: texts => void addedTexts.push(texts),
    addFragment: part => void pageFragments.push(part)
  }
  const sources = { published, settings, store, staticPages: approved, installation, themes, addedTexts }
  const site = createSite({ ...sources, hasSearch, hasMedia })
  return {
    db,
    published,
    search,
    former,
    hasMedia,
    settings,
    installation,
    log,
    site,
    lists: createLists({ db, published, settings, sizes }),
    sitemap: createSitemap({ db, published, site, staticPages: approved }),
    approved,
    staticPages: createStaticPages({ db, changes, emit, render: posts.render }),
    timeZone: () => store.value('operator_timezone'),
    colourCode: createCodeColours(),
    pictureSizes: sizes,
    themes,
    pageFragments,
    pages
  }
}
