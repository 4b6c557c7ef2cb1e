import { createHash } from 'node:crypto'
import type { ExportSurface } from '#plugins/export'
import type { SiteComponents } from '../components.ts'
import { fragmentTexts } from '../page-fragments.ts'
import { listPaths, siteFiles } from './list-files.ts'
import { createListGroups } from './list-groups.ts'
import { createPostDependencies } from './post-dependencies.ts'
import { isMarkedPage, postPagePath, postPages } from './post-pages.ts'
import { readStaticSite } from './static-site.ts'

/** The pages of the site as files, so that a plain web server shows them. `isOn` false: it has none of them. */
export function createSiteSurface(components: SiteComponents, isOn: () => boolean): ExportSurface {
  const groups = createListGroups(components, isOn)
  const dependencies = createPostDependencies(components.published)
  return {
    name: 'site',
    listPaths: () => (isOn() ? listPaths : []),
    key: async () => (isOn() ? await keyOf(components) : 'off'),
    postPaths: slug => [postPagePath(slug)],
    postFiles: async (db, posts, lists) =>
      isOn() ? postPages(components, db, { posts, lists }) : posts.map(() => ({ files: [] })),
    isOwn: isMarkedPage,
    dependencies: () => (isOn() ? dependencies : null),
    groups,
    async *listFiles(db, { posts, labels }) {
      if (isOn()) yield* siteFiles(components, db, { posts, labels: await labels() })
    }
  }
}

/** Every page has the menu, the footer and the dates of the site, and the addresses of others. */
async function keyOf(components: SiteComponents): Promise<string> {
  const { settings, installation, pageFragments, themes } = components
  const { data, view } = await readStaticSite(components)
  const all = [
    installation.version,
    (await themes.look()).version,
    data,
    view.path('/posts/a'),
    settings.get('site_posts_per_page'),
    fragmentTexts(pageFragments, view)
  ]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}
