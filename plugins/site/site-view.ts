import { createDates } from './dates.ts'
import { directionOf } from './html/direction.ts'
import { createTexts, numberFormat } from './texts/read-texts.ts'
import type { TextsByLanguage } from './texts/texts.ts'
import type { SiteView } from './views.ts'

/** Everything that a `SiteView` is made of, as it is sent to the thread of a theme. */
export interface SiteData
  extends Pick<
    SiteView,
    | 'title'
    | 'description'
    | 'language'
    | 'logo'
    | 'menu'
    | 'footer'
    | 'hasSearch'
    | 'hasPodcast'
    | 'isIndexed'
    | 'assets'
  > {
  /** Address of the site, without a slash at the end. */
  base: string
  timeZone: string
  /** Of plugins and of the theme: the earlier come first. */
  texts: readonly TextsByLanguage[]
}

export function siteViewOf({ base, timeZone, texts, ...data }: SiteData): SiteView {
  const { language } = data
  const { day, month } = createDates(language, timeZone)
  return {
    ...data,
    ...linksOf(base),
    home: `${base}/`,
    direction: directionOf(language),
    text: createTexts(language, texts),
    number: value => numberFormat(language).format(value),
    date: day,
    month
  }
}

/** How places and addresses become links of a site at `base`. */
export function linksOf(base: string): Pick<SiteView, 'path' | 'absolute' | 'link'> {
  const { origin } = new URL(base)
  const path = (place: string) => basePathOf(base) + place
  return {
    path,
    absolute: link => (link.startsWith('/') ? origin + link : link),
    link: url => placed(path, url.startsWith(`${base}/`) ? url.slice(base.length) : url)
  }
}

/** A path that somebody wrote, as links name it. */
export const placed = (path: SiteView['path'], url: string): string => (url.startsWith('/') ? path(url) : url)

/** The path that the service lies under behind a proxy; empty for none. */
export const basePathOf = (base: string): string => new URL(base).pathname.replace(/\/$/, '')
