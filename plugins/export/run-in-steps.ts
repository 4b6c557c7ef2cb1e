import type { ExportReport } from './export-report.ts'
import type { StepDeps, StepOptions, WrittenSoFar } from './export-step.ts'
import { runFullStep } from './full-step.ts'
import { readWithdrawals, recordWithdrawalsShown } from './repository/withdrawals.ts'
import { TargetMovedError, UnownedFileError } from './target.ts'
import { runWithdrawalStep } from './withdrawal-step.ts'
import { createStepCheck } from './yield-check.ts'

/**
 * Runs an export that yields to withdrawals. What shows a withdrawn post is written in a step of its own, then the run goes on.
 * The next full step takes at least as long as that step did, so that withdrawals take no more than half of the time.
 */
export async function runInSteps(
  deps: StepDeps,
  options: Omit<StepOptions, 'written' | 'mustYield'>
): Promise<ExportReport> {
  const { db } = deps
  const { target, signal, isTakeover } = options
  const startedAt = performance.now()
  const written: WrittenSoFar = { parts: new Map(), posts: new Map(), groups: new Map() }
  let { withdrawals } = await readWithdrawals(db)
  let next: StepOptions = { ...options, written, mustYield: createStepCheck(db, withdrawals, 0) }
  let removed = 0
  for (;;) {
    const ended = await runFullStep(deps, next).catch(async error => {
      const show = () => runWithdrawalStep(deps, { target, signal, written, isTakeover })
      // What is new has no place. What was withdrawn is gone from the lists, too.
      if (error instanceof UnownedFileError) await show()
      // So it is where something cannot be removed, made or written. That is the error to tell.
      else if (!signal.aborted && !(error instanceof TargetMovedError)) await showWaiting(db, show).catch(() => {})
      throw error
    })
    removed += ended.removed
    if (ended.report !== null) {
      await recordWithdrawalsShown(db, withdrawals)
      return { ...ended.report, removed, duration_ms: Math.round(performance.now() - startedAt) }
    }
    const yieldedAt = performance.now()
    withdrawals = (await readWithdrawals(db)).withdrawals
    removed += await runWithdrawalStep(deps, { target, signal, written, isTakeover })
    await recordWithdrawalsShown(db, withdrawals)
    const mustYield = createStepCheck(db, withdrawals, performance.now() - yieldedAt)
    next = { ...options, stalePaths: [], written, mustYield }
  }
}

async function showWaiting(db: StepDeps['db'], show: () => Promise<unknown>): Promise<void> {
  const { withdrawals, withdrawals_shown } = await readWithdrawals(db)
  if (withdrawals > withdrawals_shown) await show()
}
