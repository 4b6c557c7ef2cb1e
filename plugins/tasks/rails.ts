import type { Assignment, Draft, OwnRail, RailFinding } from './pipeline.ts'
import { bannedPhrases } from './rails/banned-phrases.ts'
import { grounding } from './rails/grounding.ts'
import { length } from './rails/length.ts'
import { links } from './rails/links.ts'
import { placeholders } from './rails/placeholders.ts'
import { readability } from './rails/readability.ts'
import { repetition } from './rails/repetition.ts'
import { structure } from './rails/structure.ts'
import { title } from './rails/title.ts'

/** The checks that need nothing but the draft and its assignment, in the order they are reported. */
export const builtInRails: readonly OwnRail[] = [
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

/** What a draft's checks are asked and answer, as JSON: they run in a process of their own, see `own-checks.ts`. */
export interface OwnChecks {
  draft: Draft
  assignment: Assignment
  bannedPhrases: readonly string[]
}
/** By the rail's name; a text says why it could not run. */
export type OwnFindings = Readonly<Record<string, RailFinding | string>>

export function checkDraft(asked: string): OwnFindings {
  const { draft, assignment, bannedPhrases } = JSON.parse(asked) as OwnChecks
  const context = { threshold: 0, bannedPhrases, signal: new AbortController().signal }
  const check = (rail: OwnRail) => {
    try {
      return rail.check(draft, assignment, context)
    } catch (error) {
      return String(error)
    }
  }
  return Object.fromEntries(builtInRails.map(rail => [rail.name, check(rail)]))
}
