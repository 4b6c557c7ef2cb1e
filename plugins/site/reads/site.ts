import type { Installation, Settings, SettingsStore } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { siteSettings } from '../settings.ts'
import type { MenuLink, SiteView } from '../views.ts'
import type { ApprovedPages, PageLink } from './approved-pages.ts'
import { createDates } from './dates.ts'

export interface SiteDeps {
  published: PublishedPosts
  settings: Settings<typeof siteSettings>
  store: SettingsStore
  staticPages: ApprovedPages
  installation: Pick<Installation, 'baseUrl'>
  hasSearch: boolean
  hasMedia: boolean
}

/** What all pages show of the site. */
export interface Site {
  read(): Promise<SiteView>
  /** The same without asking the database: the podcast and the static pages are as far as they are known. */
  latest(): SiteView
}

export function createSite(deps: SiteDeps): Site {
  let hasPodcast = false
  return {
    latest: () => siteView(deps, hasPodcast, deps.staticPages.known()),
    async read() {
      hasPodcast = deps.hasMedia && (await deps.published.count({ medium: 'podcast' })) > 0
      return siteView(deps, hasPodcast, await deps.staticPages.all())
    }
  }
}

function siteView(
  { published, settings, store, installation, hasSearch }: SiteDeps,
  hasPodcast: boolean,
  pages: readonly PageLink[]
): SiteView {
  const { title, description, language } = published.site()
  const base = installation.baseUrl()
  const path = (place: string) => basePathOf(base) + place
  const { origin } = new URL(base)
  const link = (url: string) => placed(path, url.startsWith(`${base}/`) ? url.slice(base.length) : url)
  const { day, month } = createDates(language, store.value('operator_timezone'))
  return {
    title,
    description,
    language,
    home: `${base}/`,
    path,
    absolute: link => (link.startsWith('/') ? origin + link : link),
    link,
    logo: settings.get('site_logo_url') === '' ? null : link(settings.get('site_logo_url')),
    menu: [...chosenLinks(settings.get('site_navigation'), path), ...menuOf(path, { hasSearch, hasPodcast })],
    footer: [...footerOf(path, hasPodcast), ...pages.map(page => ({ label: page.title, url: path(page.place) }))],
    hasSearch,
    hasPodcast,
    isIndexed: settings.get('site_indexed'),
    date: day,
    month
  }
}

/** A path that somebody wrote, as links name it. */
const placed = (path: SiteView['path'], url: string): string => (url.startsWith('/') ? path(url) : url)

function chosenLinks(setting: string, path: SiteView['path']): MenuLink[] {
  const entries = setting === '' ? [] : setting.split(',')
  return entries.map(entry => {
    const [label = '', ...rest] = entry.split('=')
    return { label: label.trim(), url: placed(path, rest.join('=')) }
  })
}

/** The path that the service lies under behind a proxy; empty for none. */
export const basePathOf = (base: string): string => new URL(base).pathname.replace(/\/$/, '')

const menuOf = (path: SiteView['path'], { hasSearch, hasPodcast }: Pick<SiteView, 'hasSearch' | 'hasPodcast'>) =>
  listOf([
    { label: 'Archive', url: path('/archive') },
    hasPodcast && { label: 'Podcast', url: path('/podcast') },
    hasSearch && { label: 'Search', url: path('/search') }
  ])

const footerOf = (path: SiteView['path'], hasPodcast: boolean) =>
  listOf([
    { label: 'Archive', url: path('/archive') },
    { label: 'Feed', url: path('/feed.xml') },
    hasPodcast && { label: 'Podcast feed', url: path('/podcast.xml') }
  ])

const listOf = (links: readonly (MenuLink | false)[]): MenuLink[] => links.filter(link => link !== false)
