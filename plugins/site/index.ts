import { event, service } from '#core'
import type { PageFragment } from './page-fragments.ts'
import type { TextsByLanguage } from './texts/texts.ts'

export type { PageFragment } from './page-fragments.ts'
/** What a theme is written with, and galley's own theme to begin with. */
export * from './theme-api.ts'

/** Touched when readers get other static pages: every page of the site names them in its footer. */
export const sitePagesCacheTag = 'site.pages'

/** A static page reads differently, is new to readers, or is gone. */
export const SitePageChanged = event<{ slug: string }>('site.page_changed')

/** The pages of the site, for other plugins. */
export interface SitePages {
  /**
   * Adds texts that pages say around the posts, by language, or changes galley's. Call it in `setup`. Those of the theme come
   * first.
   */
  addTexts(texts: TextsByLanguage): void
  /** Adds something to pages, in whatever theme. Call it in `setup`. */
  addFragment(part: PageFragment): void
}
export const SitePagesService = service<SitePages>('site')
