import type { Context, Needs, SettingsStore } from '#core'
import type { Gates } from '#plugins/gates'
import type { Notify } from '#plugins/notify'
import type { Posts, PublishedPosts } from '#plugins/posts'
import type { EmailEvent, Webhooks } from '#plugins/webhooks'
import { recordEmailEvent } from './email-events.ts'
import type { Newsletter } from './index.ts'
import { createKeys } from './keys.ts'
import { createMailer } from './mailer.ts'
import { countActive } from './repository/subscribers.ts'
import { createContents } from './sending/contents.ts'
import { createCopies } from './sending/copies.ts'
import { createDigestMaker } from './sending/digests.ts'
import { createPostFollower } from './sending/follow-posts.ts'
import { createSends } from './sending/sends.ts'
import type { newsletterSettings } from './settings.ts'
import { createCaptcha } from './signup/captcha.ts'
import { createConfirmations } from './signup/confirmations.ts'
import { createSignups } from './signup/signups.ts'
import { createSubscribers } from './subscribers.ts'
import { localeFor } from './texts/read-texts.ts'

type ComponentsContext = Omit<Context<Needs, typeof newsletterSettings>, 'needs'> & {
  needs: {
    posts: Posts
    published: PublishedPosts
    gates: Gates
    notify: Notify | undefined
    webhooks: Webhooks | undefined
    store: SettingsStore
  }
}

/** Everything the plugin consists of, wired. */
export type NewsletterComponents = ReturnType<typeof createComponents>

export function createComponents({ needs, ...context }: ComponentsContext) {
  const shared = { ...context, ...needs }
  const { db } = context
  const keys = createKeys(shared)
  const mailer = createMailer(shared)
  const copies = createCopies(shared)
  const captcha = createCaptcha({ ...shared, keys })
  const contents = createContents(shared)
  const sends = createSends({ ...shared, contents })
  const follower = createPostFollower({ ...shared, contents, sends, copies })
  const signups = createSignups({ ...shared, keys, captcha })
  const service: Newsletter = {
    recordEmailEvent: (tx, event) => recordEmailEvent({ ...shared, keys }, tx, event),
    countSubscribers: countActive
  }
  return {
    ...shared,
    keys,
    mailer,
    copies,
    captcha,
    contents,
    sends,
    follower,
    service,
    signups,
    /** The locale of a reader, who may have asked for a language; else that of the site. */
    localeOf: (language?: string) => localeFor(language, needs.published.site().language),
    subscribers: createSubscribers({ ...shared, keys, signups }),
    confirmations: createConfirmations({ ...shared, mailer, copies }),
    /** Takes what the webhooks tell of mails. */
    takeReport: (report: EmailEvent) =>
      db.transaction(async tx => {
        const email = await needs.webhooks?.findEmail(tx, report.id)
        if (email !== undefined) await service.recordEmailEvent(tx, { ...report, email })
      }),
    createDigestIfDue: createDigestMaker({ ...shared, sends })
  }
}
