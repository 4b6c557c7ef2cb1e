import type { Commands } from '#core'
import type { SiteComponents } from '../components.ts'

/** The commands of the plugin, each group loaded when it is called. */
export const commandGroups = (components: SiteComponents): Readonly<Record<string, Commands>> => ({
  pages: {
    describe: 'Pages of the site that are no post: an imprint, a privacy statement',
    load: async () => (await import('./pages.ts')).pageCommands(components)
  },
  site: {
    describe: 'Themes of the site',
    load: async () => (await import('./site.ts')).siteCommands(components)
  }
})
