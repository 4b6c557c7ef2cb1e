import type { Db } from '../../contract/database.ts'
import { deleteOldAudit, recordAudit } from '../../db/audit.ts'
import { inLane } from '../../db/lanes.ts'
import type { Log } from '../../log.ts'

/** The type of the audit row of a proxy that nobody declared. */
export const undeclaredProxy = 'http.undeclared_proxy'

const windowMs = 3_600_000
/** Anybody can send such a header: an hour has at most so many rows. */
const maxAddresses = 20

/** Records an address for `galley doctor`, once an hour. Requests do not wait for it, and do not fail by it. */
export function createProxyRecorder({
  db,
  log,
  now
}: {
  db: Db
  log: Log
  now: () => Date
}): (address: string) => void {
  const recorded = new Set<string>()
  let since = 0
  return address => {
    const at = now().getTime()
    if (at - since >= windowMs) {
      recorded.clear()
      since = at
    }
    if (recorded.has(address) || recorded.size >= maxAddresses) return
    recorded.add(address)
    log.warn(
      { address },
      'requests come through a proxy that trusted_proxies does not name: its clients share one limit'
    )
    inLane('reads', () => write(db, address)).catch((err: unknown) =>
      log.warn({ err }, 'an undeclared proxy could not be written down')
    )
  }
}

const write = (db: Db, address: string): Promise<void> =>
  db.transaction(async tx => {
    await recordAudit(tx, { event_type: undeclaredProxy, actor: 'service', details: { address } })
    await deleteOldAudit(tx, undeclaredProxy)
  })
