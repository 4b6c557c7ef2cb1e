import { rootOf } from '../export-links.ts'
import type { SiteParts } from '../parts.ts'
import type { ReadSite } from '../reads/site.ts'

/** What exported pages show of the site. */
export function readStaticSite({
  published,
  installation,
  site
}: Pick<SiteParts, 'published' | 'installation' | 'site'>): Promise<ReadSite> {
  return site.readStatic(rootOf(published.addressOf, installation.baseUrl()))
}
