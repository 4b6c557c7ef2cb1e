import { event } from '#core'

/** Touched when readers get other static pages: every page of the site names them in its footer. */
export const sitePagesCacheTag = 'site.pages'

/** A static page reads differently, is new to readers, or is gone. */
export const SitePageChanged = event<{ slug: string }>('site.page_changed')
