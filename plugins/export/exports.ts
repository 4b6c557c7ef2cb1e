import { createSharedRuns } from '#coalescing'
import { allEnded } from '#concurrency'
import { type Db, type Installation, type Log, messageOf, type Tx } from '#core'
import type { Notify } from '#plugins/notify'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import type { ExportReport } from './export-report.ts'
import { type StepDeps, unthrottled } from './export-step.ts'
import { createExporter, type Exporter } from './exporter.ts'
import { createExportLease, type ExportLease } from './lease.ts'
import { readManifest, readTargetText } from './manifest.ts'
import { readMarker } from './marker.ts'
import { exportFailureNotice } from './notices.ts'
import { hasChanges, markAllChanged, markRestored } from './repository/changes.ts'
import {
  listPublicSlugs,
  listStillPublic,
  readExportState,
  saveFailure,
  saveReport,
  saveVerified
} from './repository/export.ts'
import { countWithdrawal, readWithdrawals } from './repository/withdrawals.ts'
import { runInSteps } from './run-in-steps.ts'
import { followChanges } from './shown-posts.ts'
import { isSafeSlug, type Surfaces } from './surfaces.ts'
import { openTarget, type TargetDeps, TargetMovedError } from './target.ts'
import { type Verified, verifyTarget } from './verify.ts'
import { createWithdrawalCheck, neverYield } from './yield-check.ts'

interface ExportDeps extends TargetDeps {
  exporter: Exporter
  published: PublishedPosts
  surfaces: Surfaces
  /** Of the calendar that divides lists into months and years. */
  timeZone(): string
  installation: Installation
  db: Db
  log: Log
  notify: Notify | undefined
  search: Pick<PostSearch, 'throttle'> | undefined
  now: () => Date
}

/** The public posts as static files. Only one export writes at a time, in all processes. */
export interface Exports {
  /** Writes every file again. @throws UnavailableError when the target cannot be used; the abort reason of its signal */
  rebuild(caller?: RebuildCaller): Promise<ExportReport>
  /** Writes what differs. @throws UnavailableError as `rebuild` */
  refresh(signal: AbortSignal, onWait?: () => void): Promise<ExportReport>
  /** Has a run under way yield to a post that is not public any more. To be called before `withdraw`. */
  countWithdrawal(post_id: string, slug: string): Promise<void>
  /** Removes the files of a post that is not public, beside the refresh that updates the lists. */
  withdraw(post_id: string, slug: string): Promise<void>
  /**
   * Compares the target with the manifest and with what is public. With `isFixing` it is repaired, and compared again.
   * `has_waiting`: changes waited to be written, so that some of the findings may be written in a moment.
   */
  verify(options: VerifyOptions): Promise<Verified & { has_waiting: boolean }>
  /** In the transaction of a restore: everything is written again. */
  restored(tx: Tx): Promise<void>
}

interface VerifyOptions extends Pick<RebuildCaller, 'onWait'> {
  isFixing: boolean
  signal: AbortSignal
  onProgress?(files: number): void
}

/** Who waits for a rebuild. The rebuild ends between posts once the signals of all callers are aborted. */
interface RebuildCaller {
  /** Replaces the export of another database. */
  isTakeover?: boolean
  /** Called with the number of posts written so far. */
  onProgress?(posts: number): void
  /** Called again and again while another process exports. */
  onWait?(): void
  signal?: AbortSignal
}

export function createExports(given: Omit<ExportDeps, 'exporter'>): Exports {
  const deps = { ...given, exporter: createExporter(given) }
  const lease = createExportLease(deps.db)
  const callers = new Set<RebuildCaller>()
  const write = createWrite(deps, lease)
  const rebuilds = createSharedRuns<ExportReport>()
  const rebuild = (isTakeover: boolean) => {
    // Never aborted: `reportTo` throws once no caller is left.
    const { signal } = new AbortController()
    return write({
      signal,
      rewrite: 'all',
      isTakeover,
      onProgress: posts => reportTo(callers, caller => caller.onProgress?.(posts)),
      onWait: () => reportTo(callers, caller => caller.onWait?.())
    })
  }
  return {
    async rebuild(given = {}) {
      const caller = { ...given }
      callers.add(caller)
      try {
        const isTakeover = caller.isTakeover === true
        return await rebuilds.run(isTakeover ? 'take over' : 'all', () => rebuild(isTakeover))
      } finally {
        callers.delete(caller)
      }
    },
    refresh: (signal, onWait) => write({ signal, onWait }),
    async countWithdrawal(post_id, slug) {
      if (await isWithdrawn(deps, post_id, slug)) await countWithdrawal(deps.db)
    },
    withdraw: (post_id, slug) => withdraw(deps, post_id, slug),
    verify: createVerify(deps, lease, write),
    async restored(tx) {
      await markRestored(tx)
      await deps.exporter.restore(tx)
    }
  }
}

/** Compares the target, and repairs it where that is asked for. */
function createVerify(deps: ExportDeps, lease: ExportLease, write: ReturnType<typeof createWrite>): Exports['verify'] {
  return async ({ isFixing, signal, onProgress, onWait }) => {
    const state = await readExportState(deps.db)
    // What waited at the last verification, of whichever target, still does: a run would have noted that it is written.
    let has_waiting = state?.verified?.has_waiting === true || (await hasChanges(deps.db))
    const writeWaiting = async (options: Pick<WriteOptions, 'rewrite' | 'stalePaths'> = {}) => {
      await write({ signal, onWait, ...options })
      has_waiting = false
    }
    const verifyUntilCertain = async () => {
      for (let tries = 1; ; tries++) {
        const isUninterrupted = tries > maxInterrupted
        const verified = await verifyOnce(deps, lease, { signal, onProgress, onWait, isUninterrupted })
        if (verified !== null) return verified
        await writeWaiting()
      }
    }
    // What the database says of the shown posts is computed anew, too.
    await markAllChanged(deps.db)
    let verified = await verifyUntilCertain()
    if (isFixing && verified.findings > 0) {
      await writeWaiting({ rewrite: new Set(verified.paths), stalePaths: verified.removable })
      const after = await verifyUntilCertain()
      verified = { ...after, repaired: Math.max(0, verified.findings - after.findings) }
    }
    // A run that another process ended meanwhile has written what waited.
    const isWritten = (await readExportState(deps.db))?.finished_at !== state?.finished_at
    has_waiting &&= !isWritten
    await saveVerified(deps.db, { ...verified, has_waiting })
    return { ...verified, has_waiting }
  }
}

/** After so many interruptions a verification does not yield to withdrawals any more. */
const maxInterrupted = 5

/** Null when a post was withdrawn meanwhile, or something at fault may be what was edited: that is written first. */
async function verifyOnce(
  deps: ExportDeps,
  lease: ExportLease,
  { signal, onProgress, onWait, isUninterrupted }: Omit<VerifyOptions, 'isFixing'> & { isUninterrupted: boolean }
): Promise<Verified | null> {
  const target = openTarget(deps)
  return lease({ target: target.address, signal, onWait }, async leaseSignal => {
    const { withdrawals } = await readWithdrawals(deps.db)
    const mustYield = isUninterrupted ? neverYield : createWithdrawalCheck(deps.db, withdrawals)
    const step = stepDeps(deps)
    if (!(await followChanges(deps, { throttle: step.createThrottle(leaseSignal), mustYield }))) return null
    const verified = await verifyTarget(step, target, { signal: leaseSignal, onProgress, mustYield })
    // What an edit changed meanwhile is no fault.
    const isCertain = verified === null || verified.findings === 0 || isUninterrupted || !(await hasChanges(deps.db))
    return isCertain ? verified : null
  })
}

/** Reports to all callers. @throws the abort reason once nobody waits any more */
function reportTo(callers: ReadonlySet<RebuildCaller>, report: (caller: RebuildCaller) => void): void {
  for (const caller of callers) report(caller)
  const signals = [...callers].map(({ signal }) => signal)
  if (signals.length > 0 && signals.every(signal => signal?.aborted)) signals[0]?.throwIfAborted()
}

const stepDeps = ({
  published,
  surfaces,
  timeZone,
  installation,
  db,
  exporter,
  log,
  search,
  now
}: ExportDeps): StepDeps => ({
  published,
  surfaces,
  timeZone,
  version: installation.version,
  baseUrl: installation.baseUrl,
  db,
  exporter,
  log,
  createThrottle: search?.throttle ?? unthrottled,
  now
})

interface WriteOptions {
  signal: AbortSignal
  rewrite?: 'all' | ReadonlySet<string>
  isTakeover?: boolean
  stalePaths?: readonly string[]
  onProgress?(posts: number): void
  onWait?: (() => void) | undefined
}

/** Runs an export, and stores how it ended. */
function createWrite(deps: ExportDeps, lease: ExportLease) {
  return async ({ onProgress, onWait, signal, ...options }: WriteOptions): Promise<ExportReport> => {
    const target = openTarget(deps)
    const progress = (posts: number) => {
      if (deps.settings.get('export_target') !== target.address) throw new TargetMovedError()
      onProgress?.(posts)
    }
    try {
      if (options.rewrite === 'all') await markAllChanged(deps.db)
      const report = await lease({ target: target.address, signal, onWait }, leaseSignal =>
        runInSteps(stepDeps(deps), { ...options, target, signal: leaseSignal, onProgress: progress })
      )
      await saveReport(deps.db, report, target.store.name)
      return report
    } catch (error) {
      if (!signal.aborted && !(error instanceof TargetMovedError)) await fail(deps, messageOf(error))
      throw error
    }
  }
}

/** The operator is notified of the first failure in a row. */
async function fail({ db, notify }: ExportDeps, failure: string): Promise<void> {
  await db.transaction(async tx => {
    const [at, isFirst] = await saveFailure(tx, failure)
    if (isFirst) await notify?.send(tx, `export:${at}`, exportFailureNotice(failure))
  })
}

const isWithdrawn = async ({ db }: ExportDeps, post_id: string, slug: string): Promise<boolean> =>
  isSafeSlug(slug) && (await listStillPublic(db, [{ post_id, slug }])).get(post_id) !== slug

async function withdraw(deps: ExportDeps, post_id: string, slug: string): Promise<void> {
  if (!(await isWithdrawn(deps, post_id, slug))) return
  const target = openTarget(deps, true)
  const { store } = target
  const path = `posts/${slug}.json`
  // Another post may have taken over the slug; the file may be unowned.
  const found = await readTargetText(store, path)
  if (found === null || !found.text.includes(`"post_id":"${post_id}"`)) return
  if ((await listPublicSlugs(deps.db, [slug])).has(slug)) return
  // A copy of the database has posts with the same ids. The refresh that follows says so.
  const named = (await readMarker(store)).exporter ?? (await readManifest(store)).manifest?.exporter
  if (!(await deps.exporter.isOwn(target, named))) return
  // The file that has the id of the post is removed last: until then this can be done again.
  const others = deps.surfaces.pathsOf(slug).filter(other => other !== path)
  await allEnded(others.map(other => store.delete(other)))
  await store.delete(path)
}
