import { type Check, type Db, degraded, type Installation, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import type { Mailer } from './mailer.ts'
import { countSends, findFailing } from './repository/sends.ts'
import { countActive } from './repository/subscribers.ts'

export const newsletterChecks = (deps: { db: Db; mailer: Mailer; installation: Installation }): Check[] => [
  { name: 'newsletter', run: () => checkNewsletter(deps) }
]

async function checkNewsletter({ db, mailer, installation }: { db: Db; mailer: Mailer; installation: Installation }) {
  if (mailer.fault() !== null) return skipped('no mail server is set up: smtp_url and mail_from are empty')
  const failing = await findFailing(db)
  if (failing !== undefined)
    return degraded(
      `The newsletter “${failing.subject}” waits: ${failing.last_error}`,
      'Correct the cause: it is tried again by itself, see galley newsletter status.'
    )
  const paused = await countSends(db, 'paused')
  if (paused > 0)
    return degraded(
      `${pluralized(paused, 'newsletter')} paused.`,
      'See galley newsletter status, then galley newsletter resume or cancel.'
    )
  if (!installation.baseUrl().startsWith('https://'))
    return degraded(
      `The links in mails begin with ${installation.baseUrl()}: mail readers offer one click to unsubscribe for https only.`,
      'Set public_url to the address that readers reach the service at.'
    )
  return ok(`${pluralized(await countActive(db), 'subscriber')}, nothing waits for the mail server`)
}
