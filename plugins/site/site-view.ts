import { basePathOf } from './base-path.ts'
import { createDates } from './dates.ts'
import { exportLinks } from './export-links.ts'
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
  /** Address of the service, without a slash at the end. */
  base: string
  /** The same of the place where the export is read, for its pages; null for those of the service. */
  exportRoot: string | null
  timeZone: string
  /** Of plugins and of the theme: the earlier come first. */
  texts: readonly TextsByLanguage[]
}

export function siteViewOf({ base, exportRoot, timeZone, texts, ...data }: SiteData): SiteView {
  const { language } = data
  const { day, month } = createDates(language, timeZone)
  return {
    ...data,
    ...linksOf({ base, exportRoot }),
    home: `${exportRoot ?? base}/`,
    direction: directionOf(language),
    text: createTexts(language, texts),
    number: value => numberFormat(language).format(value),
    date: day,
    month
  }
}

type SiteLinks = Pick<SiteView, 'path' | 'absolute' | 'link' | 'hasFeed'>

/** How places and addresses become links of a site at `base`. */
export function linksOf({ base, exportRoot }: Pick<SiteData, 'base' | 'exportRoot'>): SiteLinks {
  if (exportRoot !== null) return exportLinks({ root: exportRoot, service: base })
  const { origin } = new URL(base)
  const path = (place: string) => basePathOf(base) + place
  return {
    path,
    absolute: link => (link.startsWith('/') ? origin + link : link),
    link: url => placed(path, url.startsWith(`${base}/`) ? url.slice(base.length) : url),
    hasFeed: () => true
  }
}

/** A path that somebody wrote, as links name it. */
const placed = (path: SiteView['path'], url: string): string => (url.startsWith('/') ? path(url) : url)

export { basePathOf }
