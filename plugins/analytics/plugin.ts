import { CONTRACT, definePlugin, job, jobType, optional, SettingsStoreService } from '#core'
import { PostsService, PublishedPostsService } from '#plugins/posts'
import { SitePagesService } from '#plugins/site'
import { viewFragment } from './beacon.ts'
import { createComponents } from './components.ts'
import { daysUntil } from './day.ts'
import { deleteBefore } from './repository.ts'
import { analyticsRoutes } from './routes.ts'
import { analyticsSettings } from './settings.ts'

const Clean = jobType<Record<string, never>>('analytics.clean')

export default definePlugin({
  name: 'analytics',
  contract: CONTRACT,
  describe: 'What is read: views by day, post and referrer, without cookies and addresses',
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    store: SettingsStoreService,
    site: optional(SitePagesService)
  },
  settings: analyticsSettings,
  setup(context) {
    const { db, settings } = context
    const components = createComponents(context)
    context.needs.site?.addFragment(viewFragment(() => settings.get('analytics_site')))
    const clean = async () => {
      const [first = ''] = daysUntil(components.today(), settings.get('analytics_retention_days'))
      await deleteBefore(db, first)
    }
    return {
      services: {},
      routes: analyticsRoutes(components),
      graphql: async () => (await import('./graphql.ts')).analyticsGraphql(components.reports),
      commands: {
        analytics: {
          describe: 'What readers opened, and where they came from',
          load: async () => (await import('./commands/analytics.ts')).analyticsCommands(components.reports)
        }
      },
      jobs: [job(Clean, clean, { cron: '20 4 * * *' })]
    }
  }
})
