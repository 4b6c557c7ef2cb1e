import type { ErrorPages } from '#core'
import type { Site } from './reads/site.ts'
import { pageHeaders } from './routes/page-reply.ts'
import type { Themes } from './themes/themes.ts'

/** Failures as pages of the site. */
export const createErrorPages = ({ site, themes }: { site: Site; themes: Themes }): ErrorPages => ({
  async pageOf(failed) {
    const { html } = await themes.render('failure', site.latest().data, failed)
    return { html, headers: pageHeaders(html) }
  }
})
