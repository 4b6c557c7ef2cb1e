import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSerial, type Db, messageOf, UnavailableError } from '#core'
import { endExportLease, renewExportLease, takeExportLease } from './repository/export.ts'

/** A process that died holds it no longer than this. */
const leaseSeconds = 20
const renewEveryMs = 5000
const askEveryMs = 200

/** Who wants to export. */
interface LeaseCaller {
  target: string
  signal: AbortSignal
  /** Called again and again while another process exports. @throws when the lease is not wanted any more */
  onWait?: (() => void) | undefined
}

/** Runs `work` while no other export runs, in any process on the same database. `signal` ends when the lease is lost. */
export type ExportLease = <T>(caller: LeaseCaller, work: (signal: AbortSignal) => Promise<T>) => Promise<T>

export function createExportLease(db: Db): ExportLease {
  // The process queues first: only one of its exports asks the database.
  const serially = createSerial()
  return ({ target, signal, onWait }, work) =>
    serially(async () => {
      const holder = randomUUID()
      for (;;) {
        signal.throwIfAborted()
        if (await takeExportLease(db, holder, leaseSeconds, target)) break
        onWait?.()
        await sleep(askEveryMs)
      }
      const lost = new AbortController()
      const renewing = setInterval(createRenewal(db, holder, lost), renewEveryMs)
      try {
        return await work(AbortSignal.any([signal, lost.signal]))
      } finally {
        clearInterval(renewing)
        await endExportLease(db, holder)
      }
    })
}

/** Renews the lease. It is lost where another process has it, or where the database has not answered for as long as it lasts. */
function createRenewal(db: Db, holder: string, lost: AbortController): () => Promise<void> {
  let renewedAt = performance.now()
  let isAsking = false
  const abortIfOld = (why: string) => {
    if (performance.now() - renewedAt > leaseSeconds * 1000 - renewEveryMs) lost.abort(leaseLost(why))
  }
  return async () => {
    if (isAsking) return abortIfOld('the database does not answer')
    isAsking = true
    const askedAt = performance.now()
    try {
      if (!(await renewExportLease(db, holder, leaseSeconds))) lost.abort(leaseLost('another process has taken over'))
      renewedAt = askedAt
    } catch (error) {
      abortIfOld(messageOf(error))
    } finally {
      isAsking = false
    }
  }
}

const leaseLost = (why: string) =>
  new UnavailableError(`The export was stopped, its lease was lost: ${why}. The next run goes on.`)
