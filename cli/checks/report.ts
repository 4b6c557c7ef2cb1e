import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Check, type CheckContext, type CheckStatus, critical, type Finding } from '../../core/contract/check.ts'
import { AppError } from '../../core/contract/errors.ts'
import { withAbort } from '../../core/timeout.ts'
import { asError } from '../../core/unknown.ts'
import { remedyOfDenial } from '../database/statement-faults.ts'

export interface CheckResult {
  name: string
  status: CheckStatus
  found: string
  remedy: string | null
}

/** How an installation is: worst causes first, then everything that was looked at. */
export interface Report {
  status: 'healthy' | 'degraded' | 'critical'
  /** 100 when nothing is wrong; 30 less for each critical check and 10 for each degraded one, not below 0. */
  score: number
  causes: CheckResult[]
  checks: CheckResult[]
}

/** What all checks of a look are given. */
export type CheckInquiry = Omit<CheckContext, 'signal'>

const timeoutMs = 10_000
const cost: Readonly<Record<CheckStatus, number>> = { ok: 0, skipped: 0, degraded: 10, critical: 30 }

export const resultOf = (name: string, { status, found, remedy = undefined }: Finding): CheckResult => ({
  name,
  status,
  found,
  remedy: remedy ?? null
})

/**
 * Runs checks side by side; one that throws or does not end counts as critical. Each is begun in a turn of its own: together
 * the first steps of fifty checks would delay readers, for the worker looks at everything every few minutes.
 */
export async function runChecks(checks: readonly Check[], context: CheckInquiry): Promise<CheckResult[]> {
  const results: Promise<CheckResult>[] = []
  for (const check of checks) {
    results.push(runCheck(check, context).then(finding => resultOf(check.name, finding)))
    await nextTurn()
  }
  return Promise.all(results)
}

async function runCheck(check: Check, context: CheckInquiry): Promise<Finding> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const finding: unknown = await withAbort(signal, check.run({ ...context, signal }), (): never => {
      throw new Error(`it took longer than ${timeoutMs / 1000} s`)
    })
    return isFinding(finding) ? finding : noFinding
  } catch (thrown) {
    const error = asError(thrown)
    const remedy =
      error instanceof AppError
        ? 'Do what the message says, and run galley doctor again.'
        : (remedyOfDenial(error) ?? 'See the log of the service.')
    return { status: 'critical', found: `The check failed: ${error.message}`, remedy }
  }
}

/** A plugin in JavaScript may return anything. */
function isFinding(answer: unknown): answer is Finding {
  if (typeof answer !== 'object' || answer === null) return false
  const { status, found, remedy = '' }: { status?: unknown; found?: unknown; remedy?: unknown } = answer
  const isStatus = typeof status === 'string' && Object.hasOwn(cost, status)
  return isStatus && typeof found === 'string' && typeof remedy === 'string'
}

const noFinding = critical(
  'The check failed: it answers no finding.',
  'Let it answer ok(found), skipped(found), degraded(found, remedy) or critical(found, remedy).'
)

/** What happened, without the remedy, every field at fault included. */
export function foundOf(error: AppError): string {
  const faults = Object.entries(error.fields).map(([key, fault]) => `${key} ${fault}`)
  return faults.length === 0 ? error.summary : `${error.summary}: ${faults.join('; ')}`
}

/** A remedy as a sentence of its own. */
export const sentence = (remedy: string): string => `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`

export function reportOf(checks: readonly CheckResult[]): Report {
  const causes = ['critical', 'degraded'].flatMap(status => checks.filter(check => check.status === status))
  const score = Math.max(0, 100 - checks.reduce((sum, { status }) => sum + cost[status], 0))
  const worst = causes[0]?.status
  return {
    status: worst === 'critical' || worst === 'degraded' ? worst : 'healthy',
    score,
    causes,
    checks: [...checks]
  }
}
