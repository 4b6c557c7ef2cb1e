import type { PostSummary } from '#plugins/posts'
import { oneLine } from '#text/excerpts'
import type { SiteView } from '../views.ts'

/** What crawlers may read: results of searches and previews are no pages of their own. */
export function robotsText(site: SiteView): string {
  if (!site.isIndexed) return 'User-agent: *\nDisallow: /\n'
  const closed = ['/search', '/preview/'].map(place => `Disallow: ${site.path(place)}\n`).join('')
  return `User-agent: *\n${closed}\nSitemap: ${site.absolute(site.path('/sitemap.xml'))}\n`
}

/** The newest posts for language models, as https://llmstxt.org describes it. */
export function llmsText(site: SiteView, posts: readonly PostSummary[], addressOf: (slug: string) => string): string {
  const about = site.description === '' ? '' : `> ${plain(site.description)}\n\n`
  const lines = posts.map(({ title, slug, excerpt }) => {
    const said = excerpt === null ? '' : `: ${plain(excerpt)}`
    return `- [${plain(title)}](${linked(addressOf(slug))})${said}\n`
  })
  return `# ${oneLine(site.title)}\n\n${about}## Posts\n\n${lines.join('')}`
}

/** A text must not end the link it is in. Code and tags would, too: they bind tighter than links. */
const plain = (text: string): string => oneLine(text).replace(/[\\[\]`<]|(?<=\])\(/g, '\\$&')

/** `post_url` may have parentheses. */
const linked = (address: string): string => address.replaceAll('(', '%28').replaceAll(')', '%29')
