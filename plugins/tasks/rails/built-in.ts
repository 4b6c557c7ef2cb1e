import type { Assignment, BuiltInRail, Draft, RailFinding } from '../ports.ts'
import { bannedPhrases } from './banned-phrases.ts'
import { grounding } from './grounding.ts'
import { length } from './length.ts'
import { links } from './links.ts'
import { placeholders } from './placeholders.ts'
import { readability } from './readability.ts'
import { repetition } from './repetition.ts'
import { structure } from './structure.ts'
import { title } from './title.ts'

/** The checks that need nothing but the draft and its assignment, in the order they are reported. */
export const builtInRails: readonly BuiltInRail[] = [
  grounding,
  length,
  structure,
  title,
  repetition,
  placeholders,
  bannedPhrases,
  links,
  readability
]

/** What a draft's checks are asked and answer, as JSON: they run in a process of their own, see `run-built-in.ts`. */
export interface BuiltInCheck {
  draft: Draft
  assignment: Assignment
  bannedPhrases: readonly string[]
}
/** What a rail found, or the error that it could not run for. */
type BuiltInResult = { isDone: true; finding: RailFinding } | { isDone: false; error: string }
/** By the rail's name. */
export type BuiltInFindings = Readonly<Record<string, BuiltInResult>>

export function checkDraft(asked: string): BuiltInFindings {
  const { draft, assignment, bannedPhrases } = JSON.parse(asked) as BuiltInCheck
  const context = { threshold: 0, bannedPhrases, signal: new AbortController().signal }
  const check = (rail: BuiltInRail): BuiltInResult => {
    try {
      return { isDone: true, finding: rail.check(draft, assignment, context) }
    } catch (error) {
      return { isDone: false, error: String(error) }
    }
  }
  return Object.fromEntries(builtInRails.map(rail => [rail.name, check(rail)]))
}
