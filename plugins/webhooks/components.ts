import type { Context, Needs } from '#core'
import type { Notify } from '#plugins/notify'
import { routeAlert } from './alerts/routing.ts'
import { cleanInboxJob } from './inbox/cleanup.ts'
import { handleJob } from './inbox/handling.ts'
import { createInbox } from './inbox/inbox.ts'
import { createReplays } from './inbox/replays.ts'
import { createWaker } from './inbox/waker.ts'
import type { webhookSettings } from './settings.ts'
import { alertRouterSource, alertStoreSource } from './sources/alerts.ts'
import { emailSource, sendgridSource } from './sources/mail.ts'
import { paymentsSource, stripeSource } from './sources/payments.ts'
import { createSources } from './sources/sources.ts'

type ComponentsContext = Omit<Context<Needs, typeof webhookSettings>, 'needs'> & { notify: Notify | undefined }

/** Creates and connects the components of the plugin. */
export function createComponents({ settings, db, emit, enqueue, notify, log, now }: ComponentsContext) {
  const sources = createSources()
  const waker = createWaker({ db, enqueue, log })
  const secret = (key: SecretKey) => () => settings.get(key)
  const reminderMinutes = () => settings.get('alert_reminder_minutes')
  const alertSecret = secret('alertmanager_webhook_secret')
  sources.add(alertRouterSource(alertSecret, routeAlert({ emit, notify, reminderMinutes, now })))
  sources.add(alertStoreSource(alertSecret))
  sources.add(paymentsSource(secret('payments_webhook_secret')))
  sources.add(emailSource({ emit, secret: secret('email_webhook_secret') }))
  sources.add(stripeSource(secret('stripe_webhook_secret')))
  sources.add(sendgridSource({ emit, secret: secret('sendgrid_webhook_public_key') }))
  return {
    sources,
    inbox: createInbox({ db, waker }),
    replays: createReplays({ db, waker }),
    alertSecret,
    jobs: [
      handleJob({ db, waker, sources, notify, log }),
      cleanInboxJob({
        db,
        log,
        bodyDays: () => settings.get('webhook_body_days'),
        bodiesMaxMb: () => settings.get('webhook_bodies_max_mb')
      })
    ]
  }
}

type SecretKey = Extract<keyof typeof webhookSettings, `${string}_secret` | `${string}_key`>
