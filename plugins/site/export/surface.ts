import { createHash } from 'node:crypto'
import type { ExportSurface } from '#plugins/export'
import { partTexts } from '../page-parts.ts'
import type { SiteParts } from '../parts.ts'
import { listPaths, siteFiles } from './list-files.ts'
import { createListGroups } from './list-groups.ts'
import { isMarkedPage, postPagePath, postPages } from './post-pages.ts'
import { shownBeside } from './shown-beside.ts'
import { readStaticSite } from './static-site.ts'

/** The pages of the site as files, so that a plain web server shows them. `isOn` false: it has none of them. */
export function createSiteSurface(parts: SiteParts, isOn: () => boolean): ExportSurface {
  const groups = createListGroups(parts, isOn)
  return {
    name: 'site',
    listPaths: () => (isOn() ? listPaths : []),
    key: async () => (isOn() ? await keyOf(parts) : 'off'),
    postPaths: slug => [postPagePath(slug)],
    postFiles: async (db, posts) => (isOn() ? postPages(parts, db, posts) : posts.map(() => ({ files: [] }))),
    isOwn: isMarkedPage,
    shownBeside: () => (isOn() ? shownBeside : null),
    groups,
    async *listFiles(db, { posts, labels }) {
      if (isOn()) yield* siteFiles(parts, db, { posts, labels: await labels() })
    }
  }
}

/** Every page has the menu, the footer and the dates of the site, and the addresses of others. */
async function keyOf(parts: SiteParts): Promise<string> {
  const { settings, installation, addedParts } = parts
  const { data, view } = await readStaticSite(parts)
  const all = [
    installation.version,
    data,
    view.path('/posts/a'),
    settings.get('site_posts_per_page'),
    partTexts(addedParts, view)
  ]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}
