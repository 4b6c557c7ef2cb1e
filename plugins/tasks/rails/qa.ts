import { asText } from '#core'
import { BudgetError } from '#plugins/costs'
import { withoutFullStop } from '#text/excerpts'
import type { Assignment, Draft, Rail, RailFinding } from '../ports.ts'

export const railModes = ['required', 'advisory', 'off'] as const
export type RailMode = (typeof railModes)[number]

/** What settings say about the checks. */
export interface QaSettings {
  /** `qa_final_score_threshold`, 0–100. */
  scoreThreshold: number
  /** `qa_banned_phrases`. */
  bannedPhrases: readonly string[]
  /** `qa_rail_<name>` and `qa_rail_<name>_threshold` by rail name; a rail that is not here keeps its own defaults. */
  rails: Readonly<Record<string, { mode: RailMode; threshold: number }>>
}

/** One rail's row in the task's `qa`. `score` is 0–100. */
interface RailReport {
  name: string
  required: boolean
  passed: boolean
  score: number
  note: string
}

/** The task's `qa`, and why it did not pass: `reason` is null when it did. `score` is null when no rail could run. */
export interface Qa {
  score: number | null
  passed: boolean
  rails: RailReport[]
  reason: string | null
  /** False when only checks that could not run speak against the draft. */
  isConclusive: boolean
}

export interface QaRun {
  settings: QaSettings
  signal: AbortSignal
  /** Called when a rail could not run. */
  onFailure?: (rail: string, error: unknown) => void
  /** Runs a rail's check: what it pays for is the rail's. */
  attribute?: <T>(rail: string, check: () => Promise<T>) => Promise<T>
}

interface Outcome {
  rail: Rail
  required: boolean
  report: RailReport | null
}

/**
 * Runs every rail that is not off. Passing: each required rail ran and passed, and the weighted mean over all that ran is
 * at least the threshold. A rail that could not run is left out of `rails` and is never a pass.
 * @throws the signal's reason when it is aborted; BudgetError when a rail may not ask its model now.
 */
export async function runRails(rails: readonly Rail[], draft: Draft, assignment: Assignment, run: QaRun): Promise<Qa> {
  const modeOf = (rail: Rail) => run.settings.rails[rail.name]?.mode ?? rail.mode
  const active = rails.filter(rail => modeOf(rail) !== 'off')
  const outcomes = await Promise.all(
    active.map(async rail => {
      const required = modeOf(rail) === 'required'
      return { rail, required, report: await runRail(rail, required, draft, assignment, run) }
    })
  )
  run.signal.throwIfAborted()
  const score = weightedMean(outcomes)
  const reason = failureOf(outcomes, score, run.settings.scoreThreshold)
  const ran = outcomes.flatMap(({ report }) => report ?? [])
  return { score, passed: reason === null, rails: ran, reason, isConclusive: score !== null && isConclusive(outcomes) }
}

/** Null when the rail could not run. */
async function runRail(
  rail: Rail,
  required: boolean,
  draft: Draft,
  assignment: Assignment,
  { settings: { rails, bannedPhrases }, signal, onFailure, attribute = (_, check) => check() }: QaRun
): Promise<RailReport | null> {
  const threshold = rails[rail.name]?.threshold ?? rail.threshold
  try {
    const finding = await attribute(rail.name, async () =>
      rail.check(draft, assignment, { threshold, bannedPhrases, signal })
    )
    if (finding === null) return null
    const { score, note } = checkedFinding(finding)
    return { name: rail.name, required, passed: score >= threshold, score, note }
  } catch (error) {
    // The draft is checked when there is room in the budget, not without this check.
    if (error instanceof BudgetError) throw error
    onFailure?.(rail.name, error)
    return null
  }
}

/** Rails come from plugins: a score that is no number would turn every comparison into a silent pass or fail. */
function checkedFinding(finding: NonNullable<RailFinding>): NonNullable<RailFinding> {
  const { score, note } = finding
  if (!(score >= 0 && score <= 100)) throw new RangeError(`The rail answered the score ${score}: 0 to 100 is expected.`)
  return { score, note: asText(String(note)) }
}

function weightedMean(outcomes: readonly Outcome[]): number | null {
  const ran = outcomes.flatMap(({ rail, report }) => (report ? { weight: rail.weight, score: report.score } : []))
  const weights = ran.reduce((sum, { weight }) => sum + weight, 0)
  if (!(weights > 0)) return null
  // Rounded before it is compared, so that what is shown and what was decided agree.
  return Math.round((10 * ran.reduce((sum, { weight, score }) => sum + weight * score, 0)) / weights) / 10
}

/** One sentence on the rails that failed, with their notes; null when the draft passes. */
function failureOf(outcomes: readonly Outcome[], score: number | null, threshold: number): string | null {
  const reasons: string[] = []
  const failed = outcomes.flatMap(({ required, report }) => (required && report && !report.passed ? report : []))
  const absent = outcomes.filter(({ required, report }) => required && !report).map(({ rail }) => rail.name)
  if (failed.length > 0)
    reasons.push(`failed: ${failed.map(({ name, note }) => `${name} (${withoutFullStop(note)})`).join(', ')}`)
  if (absent.length > 0) reasons.push(`required but could not run: ${absent.join(', ')}`)
  if (score === null) reasons.push('no check ran: switch one on with a qa_rail_… setting')
  else if (reasons.length === 0 && !(score >= threshold)) reasons.push(lowScore(score, threshold, outcomes))
  return reasons.length === 0 ? null : `QA did not pass; ${reasons.join('; ')}.`
}

function isConclusive(outcomes: readonly Outcome[]): boolean {
  const required = outcomes.filter(outcome => outcome.required)
  return required.every(({ report }) => report !== null) || required.some(({ report }) => report?.passed === false)
}

function lowScore(score: number, threshold: number, outcomes: readonly Outcome[]): string {
  const [weakest] = outcomes.flatMap(({ report }) => report ?? []).sort((one, other) => one.score - other.score)
  const named = weakest ? `, weakest: ${weakest.name} (${withoutFullStop(weakest.note)})` : ''
  return `the score ${score} is below qa_final_score_threshold (${threshold})${named}`
}
