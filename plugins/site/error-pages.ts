import type { ErrorPages } from '#core'
import type { Site } from './reads/site.ts'
import { pageHeaders } from './routes/page.ts'
import type { Theme } from './views.ts'

/** Failures as pages of the site. */
export const createErrorPages = ({ site, theme }: { site: Site; theme: Theme }): ErrorPages => ({
  pageOf: failed => ({ html: theme.failure(site.latest(), failed).toString(), headers: pageHeaders })
})
