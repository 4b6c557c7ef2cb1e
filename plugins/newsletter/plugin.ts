import { CONTRACT, definePlugin, on, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { NotifyService } from '#plugins/notify'
import { PostEdited, PostPublished, PostsService, PostWithdrawn, PublishedPostsService } from '#plugins/posts'
import { SitePagesService } from '#plugins/site'
import { EmailEventReceived, WebhooksService } from '#plugins/webhooks'
import { newsletterChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { newsletterErrors } from './errors.ts'
import { NewsletterService } from './index.ts'
import { addSignupFragment } from './pages/signup-fragment.ts'
import { newsletterRoutes } from './routes.ts'
import { newsletterJob } from './sending/due-sends.ts'
import { createSendGate } from './sending/gate.ts'
import { newsletterSettings } from './settings.ts'
import { confirmationJob } from './signup/confirmations.ts'
import { signupJob } from './signup/signups.ts'

export default definePlugin({
  name: 'newsletter',
  contract: CONTRACT,
  describe: 'Posts by e-mail, to readers who asked for it',
  needs: {
    posts: PostsService,
    published: PublishedPostsService,
    gates: GatesService,
    notify: optional(NotifyService),
    webhooks: optional(WebhooksService),
    site: optional(SitePagesService),
    store: SettingsStoreService
  },
  provides: { newsletter: NewsletterService },
  settings: newsletterSettings,
  errors: newsletterErrors,
  setup(context) {
    const components = createComponents(context)
    const { follower, settings } = components
    addSignupFragment(context.needs.site, () => settings.get('subscribe_form') && components.mailer.fault() === null)
    context.needs.gates.registerGate(createSendGate(components))
    return {
      services: { newsletter: components.service },
      routes: newsletterRoutes(components),
      commands: {
        newsletter: {
          describe: 'Mail posts to subscribers, and see who got them',
          load: async () => (await import('./commands/newsletter.ts')).newsletterCommands(components)
        }
      },
      jobs: [signupJob(components.signups), confirmationJob(components.confirmations), newsletterJob(components)],
      subscriptions: [
        on(PostPublished, follower.published, { maxBatch: 250 }),
        on(PostEdited, follower.changed),
        on(PostWithdrawn, follower.changed),
        on(EmailEventReceived, components.takeReport)
      ],
      checks: newsletterChecks(components),
      onRestore: components.copies.restored
    }
  }
})
