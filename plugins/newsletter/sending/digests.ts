import type { Db, Settings } from '#core'
import { findDigestTime, listDigestedPosts, writeDigestTime } from '../repository/digests.ts'
import { findRestoreTime } from '../repository/state.ts'
import type { newsletterSettings } from '../settings.ts'
import { possiblyMailedReason } from './copies.ts'
import type { Sends } from './sends.ts'

const dayMs = 86_400_000

interface DigestDeps {
  db: Db
  sends: Pick<Sends, 'createDigest'>
  settings: Settings<typeof newsletterSettings>
  now(): Date
}

/** Makes the digest of `newsletter_digest_days` when it is due. Only the process that sends calls it. */
export function createDigestMaker({ db, sends, settings, now }: DigestDeps): () => Promise<void> {
  return async () => {
    const days = settings.get('newsletter_digest_days')
    if (days === 0) return
    const at = now()
    const last = await findDigestTime(db)
    const due = nextDigest(last, at, days)
    if (due === null) return
    const restoredAt = await findRestoreTime(db)
    // A digest of these posts may have been mailed between the backup and the restore.
    const pausedReason = restoredAt !== null && last !== null && last < restoredAt ? possiblyMailedReason : null
    const without = await listDigestedPosts(db, due.since)
    const request = { actor: 'newsletter', send_at: null, isAutomatic: true, pausedReason }
    await sends.createDigest({ since: due.since, without }, request)
    await db.transaction(tx => writeDigestTime(tx, due.at))
  }
}

/**
 * The next digest: posts since when, and the moment that counts as its own; null before it is due. Digests keep their time of
 * day. The range overlaps the last one, and whoever asks leaves out what was in it: so no post is skipped or comes twice,
 * however late it was published. After a long pause it begins anew.
 */
export function nextDigest(last: Date | null, now: Date, days: number): { since: Date; at: Date } | null {
  const periodMs = days * dayMs
  const before = (periods: number) => new Date(now.getTime() - periods * periodMs)
  if (last === null) return { since: before(1), at: now }
  const passed = now.getTime() - last.getTime()
  if (passed < periodMs) return null
  if (passed >= 2 * periodMs) return { since: before(1), at: now }
  return { since: new Date(last.getTime() - periodMs), at: new Date(last.getTime() + periodMs) }
}
