import formbody from '@fastify/formbody'
import type { FastifyPluginAsyncTypebox } from '#core'
import type { NewsletterComponents } from './components.ts'
import { confirmationRoutes } from './routes/confirmation.ts'
import { subscriptionRoutes } from './routes/subscription.ts'
import { unsubscriptionRoutes } from './routes/unsubscription.ts'

/** Sign-up, confirmation and leaving. Forms are read here, too: browsers and mail readers send them. */
export const newsletterRoutes =
  (components: NewsletterComponents): FastifyPluginAsyncTypebox =>
  async app => {
    await app.register(formbody, { bodyLimit: 16_384 })
    // RFC 8058 lets mail readers send this form, too; what counts stands in the address.
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: 16_384 }, (_request, _body, done) =>
      done(null, {})
    )
    subscriptionRoutes(app, components)
    confirmationRoutes(app, components)
    unsubscriptionRoutes(app, components)
  }
