import type { ErrorPages } from '#core'
import type { Site } from './reads/site.ts'
import { pageHeaders } from './routes/page.ts'
import type { Themes } from './themes/themes.ts'

/** Failures as pages of the site. */
export const createErrorPages = ({ site, themes }: { site: Site; themes: Themes }): ErrorPages => ({
  async pageOf(failed) {
    const read = site.latest()
    const { html } = await themes.render('failure', read.data, failed)
    return { html, headers: pageHeaders(read) }
  }
})
