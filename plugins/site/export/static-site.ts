import type { SiteComponents } from '../components.ts'
import { rootOf } from '../export-links.ts'
import type { ReadSite } from '../reads/site.ts'

/** What exported pages show of the site. */
export function readStaticSite({
  published,
  installation,
  site
}: Pick<SiteComponents, 'published' | 'installation' | 'site'>): Promise<ReadSite> {
  return site.readStatic(rootOf(published.addressOf, installation.baseUrl()))
}
