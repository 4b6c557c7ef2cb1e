import type { Installation, Settings, SettingsStore } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { siteSettings } from '../settings.ts'
import { linksOf, type SiteData, siteViewOf } from '../site-view.ts'
import { createTexts } from '../texts/read-texts.ts'
import type { ReadText, TextsByLanguage } from '../texts/texts.ts'
import { assetsOf } from '../themes/theme-files.ts'
import type { ThemeLook, Themes } from '../themes/themes.ts'
import type { MenuLink, SiteView } from '../views.ts'
import type { ApprovedPages, PageLink } from './approved-pages.ts'

interface SiteDeps {
  published: PublishedPosts
  settings: Settings<typeof siteSettings>
  store: SettingsStore
  staticPages: ApprovedPages
  installation: Pick<Installation, 'baseUrl'>
  themes: Pick<Themes, 'look' | 'cachedLook'>
  /** What plugins added. */
  addedTexts: readonly TextsByLanguage[]
  hasSearch: boolean
  hasMedia: boolean
}

/** The site as templates get it, and what that is made of. */
export interface ReadSite {
  data: SiteData
  view: SiteView
}

/** What all pages show of the site. */
export interface Site {
  read(): Promise<ReadSite>
  /** As exported pages show it, which are read at `exportRoot`: without a search. */
  readStatic(exportRoot: string): Promise<ReadSite>
  /** The same without asking the database: the podcast and the static pages are as far as they are known. */
  latest(): ReadSite
}

export function createSite(deps: SiteDeps): Site {
  let hasPodcast = false
  const served = createReuse()
  const exported = createReuse()
  const read = async (from: SiteDeps, exportRoot: string | null) => {
    hasPodcast = deps.hasMedia && (await deps.published.count({ medium: 'podcast' })) > 0
    const [pages, look] = await Promise.all([deps.staticPages.all(), deps.themes.look()])
    return dataOf(from, { hasPodcast, pages, look, exportRoot })
  }
  return {
    latest: () => {
      const pages = deps.staticPages.known()
      return served(dataOf(deps, { exportRoot: null, hasPodcast, pages, look: deps.themes.cachedLook() }))
    },
    read: async () => served(await read(deps, null)),
    readStatic: async exportRoot => exported(await read({ ...deps, hasSearch: false }, exportRoot))
  }
}

/** A site that is as it was is the same object: what themes and fragments make of it is made once, not for each page. */
function createReuse(): (data: SiteData) => ReadSite {
  let last: { text: string; site: ReadSite } | undefined
  return data => {
    const text = JSON.stringify(data)
    if (last?.text !== text) last = { text, site: { data, view: siteViewOf(data) } }
    return last.site
  }
}

function dataOf(
  { published, settings, store, installation, addedTexts, hasSearch }: SiteDeps,
  {
    exportRoot,
    hasPodcast,
    pages,
    look
  }: { exportRoot: string | null; hasPodcast: boolean; pages: readonly PageLink[]; look: ThemeLook }
): SiteData {
  const { title, description, language } = published.site()
  const base = installation.baseUrl()
  const { path, link } = linksOf({ base, exportRoot })
  const texts = [look.texts, ...addedTexts]
  const text = createTexts(language, texts)
  return {
    title,
    description,
    language,
    base,
    exportRoot,
    texts,
    timeZone: store.value('operator_timezone'),
    logo: settings.get('site_logo_url') === '' ? null : link(published.withPictures(settings.get('site_logo_url'))),
    menu: joinLinks(chosenLinks(settings.get('site_navigation'), link), menuOf({ path, text, hasSearch, hasPodcast })),
    footer: [
      ...footerOf({ path, text, hasPodcast }),
      ...pages.map(page => ({ label: page.title, url: path(page.place) }))
    ],
    hasSearch,
    hasPodcast,
    isIndexed: settings.get('site_indexed'),
    assets: assetsOf(look.files, path)
  }
}

/** Those that lead where a chosen one does are left out. */
const joinLinks = (chosen: readonly MenuLink[], own: readonly MenuLink[]): MenuLink[] => [
  ...chosen,
  ...own.filter(({ url }) => !chosen.some(each => each.url === url))
]

function chosenLinks(setting: string, link: SiteView['link']): MenuLink[] {
  const entries = setting === '' ? [] : setting.split(',')
  return entries.map(entry => {
    const [label = '', ...rest] = entry.split('=')
    return { label: label.trim(), url: link(rest.join('=')) }
  })
}

interface Menus {
  path: SiteView['path']
  text: ReadText
  hasPodcast: boolean
}

const menuOf = ({ path, text, hasSearch, hasPodcast }: Menus & { hasSearch: boolean }) =>
  presentLinks([
    { label: text('archive'), url: path('/archive') },
    hasPodcast && { label: text('podcast'), url: path('/podcast') },
    hasSearch && { label: text('search'), url: path('/search') }
  ])

const footerOf = ({ path, text, hasPodcast }: Menus) =>
  presentLinks([
    { label: text('archive'), url: path('/archive') },
    { label: text('feed'), url: path('/feed.xml') },
    hasPodcast && { label: text('podcastFeed'), url: path('/podcast.xml') }
  ])

const presentLinks = (links: readonly (MenuLink | false)[]): MenuLink[] => links.filter(link => link !== false)
