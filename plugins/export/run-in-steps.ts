import type { Db } from '#core'
import type { ExportReport } from './export-report.ts'
import type { RunDeps, RunOptions } from './export-run.ts'
import { noteWithdrawalsShown, readWithdrawals } from './repository/withdrawals.ts'
import { runExport } from './run-export.ts'
import type { MustYield, WrittenSoFar } from './written.ts'

const askEveryMs = 250
/** A run that was started for a withdrawal is over by then, unless there is much else to do. */
const pendingMs = 2000

/** Says so when a post was withdrawn since `since` were counted. Asked for each file, it asks the database seldom. */
export function createWithdrawalCheck(db: Db, since: number): MustYield {
  let notBefore = 0
  return async () => {
    if (performance.now() < notBefore) return false
    notBefore = performance.now() + askEveryMs
    return (await readWithdrawals(db)).withdrawals > since
  }
}

/** The same for a run, which also yields to what the export does not show after some seconds. It rests first. */
function createYieldCheck(db: Db, since: number, maxRunMs: number): MustYield {
  const startedAt = performance.now()
  return async () => {
    const ranMs = performance.now() - startedAt
    if (ranMs < maxRunMs) return false
    const { withdrawals, withdrawals_shown } = await readWithdrawals(db)
    return withdrawals > since || (withdrawals > withdrawals_shown && ranMs > pendingMs)
  }
}

/**
 * Runs an export that yields to withdrawals: what shows a withdrawn post is written first, then it goes on. Such a pass takes
 * no more than half of the time.
 */
export async function runInSteps(
  deps: RunDeps,
  { stalePaths = [], ...options }: Omit<RunOptions, 'written' | 'isUrgent'>
): Promise<ExportReport> {
  const startedAt = performance.now()
  const written: WrittenSoFar = { parts: new Map(), posts: new Map(), groups: new Map() }
  const first = await readWithdrawals(deps.db)
  let step = { ...options, stalePaths, written, mustYield: createYieldCheck(deps.db, first.withdrawals, 0) }
  let covered = first.withdrawals
  let removed = 0
  for (;;) {
    const ended = await runExport(deps, step)
    removed += ended.removed
    if (ended.report !== null) {
      await noteWithdrawalsShown(deps.db, covered)
      return { ...ended.report, removed, duration_ms: Math.round(performance.now() - startedAt) }
    }
    const passFrom = performance.now()
    covered = (await readWithdrawals(deps.db)).withdrawals
    removed += (await runExport(deps, { target: options.target, signal: options.signal, written, isUrgent: true }))
      .removed
    await noteWithdrawalsShown(deps.db, covered)
    const mustYield = createYieldCheck(deps.db, covered, performance.now() - passFrom)
    step = { ...step, stalePaths: [], mustYield }
  }
}
