import type { Db, Settings, SettingsStore } from '#core'
import { moveBy } from '#time'
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
  store: Pick<SettingsStore, 'value'>
  now(): Date
}

/** Makes the digest of `newsletter_digest_days` when it is due; while that is 0, time only passes. Only the process that sends calls it. */
export function createDigestMaker({ db, sends, settings, store, now }: DigestDeps): () => Promise<void> {
  return async () => {
    const days = settings.get('newsletter_digest_days')
    const last = await findDigestTime(db)
    const due = nextDigest(last, days || 1, { now: now(), timeZone: store.value('operator_timezone') })
    if (due === null) return
    const restoredAt = await findRestoreTime(db)
    const isRestored = restoredAt !== null && last !== null && (last < restoredAt || due.at < restoredAt)
    if (days === 0) {
      // The first digest once they are wanted again holds the posts of its days, and no older ones.
      if (last !== null && !isRestored) await db.transaction(tx => writeDigestTime(tx, due.at))
      return
    }
    // A digest of these posts may have been mailed between the backup and the restore.
    const pausedReason = isRestored ? possiblyMailedReason : null
    const without = await listDigestedPosts(db, due.since)
    const request = { actor: 'newsletter', send_at: null, isAutomatic: true, pausedReason }
    await sends.createDigest({ since: due.since, without }, request)
    await db.transaction(tx => writeDigestTime(tx, due.at))
  }
}

const maxSkewMs = 3_600_000

interface Now {
  now: Date
  timeZone: string
}

/**
 * The next digest: posts since when, and the moment that counts as its own; null before it is due. Digests keep their time of
 * day on the local clock, but for one that the clocks skip. The range overlaps the last one, and whoever asks leaves out what was in it: so no post is skipped or
 * comes twice, however late it was published, and however long nothing was sent.
 * A last digest that is far in the future was made while the clock was wrong, and counts as one of the last moment it could have been.
 */
export function nextDigest(last: Date | null, days: number, { now, timeZone }: Now): { since: Date; at: Date } | null {
  const before = (at: Date) => new Date(moveBy(at.getTime(), { days: -days, ms: 0 }, timeZone))
  if (last === null) return { since: before(now), at: now }
  // Clocks of two machines differ by so much.
  if (last > now && last.getTime() - now.getTime() < maxSkewMs) return null
  const at = lastDue(last, days, { now, timeZone })
  if (at < last) return { since: before(at), at }
  return at > last ? { since: before(last), at } : null
}

/** The last moment up to now that lies whole periods of so many days after a digest, or before it. */
function lastDue(digest: Date, days: number, { now, timeZone }: Now): Date {
  const after = (periods: number) => new Date(moveBy(digest.getTime(), { days: periods * days, ms: 0 }, timeZone))
  const passed = Math.floor((now.getTime() - digest.getTime()) / (days * dayMs))
  // Days have 23 or 25 hours when the clocks change.
  return [passed + 1, passed].map(after).find(at => at <= now) ?? after(passed - 1)
}
