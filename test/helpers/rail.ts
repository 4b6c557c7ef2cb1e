import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Assignment, Draft, Rail, RailContext, RailFinding } from '../../plugins/tasks/ports.ts'
import { aDraft, anAssignment } from './draft.ts'

export interface RailCase {
  title: string
  draft?: Partial<Draft>
  assignment?: Partial<Assignment>
  bannedPhrases?: readonly string[]
  /** What the note must say. */
  note?: RegExp
}

/** Runs a rail on the good draft with the given changes. */
export async function check(
  rail: Rail,
  { draft, assignment, bannedPhrases = [] }: Omit<RailCase, 'title'> = {}
): Promise<RailFinding> {
  const context: RailContext = { threshold: rail.threshold, bannedPhrases, signal: new AbortController().signal }
  return rail.check(aDraft(draft), anAssignment(assignment), context)
}

/** One test a case: `passing` ones reach the rail's own threshold, `failing` ones do not. */
export function testRail(rail: Rail, cases: { passing: readonly RailCase[]; failing: readonly RailCase[] }): void {
  test(`${rail.name} gives a good draft full score`, async () => {
    const finding = await check(rail)
    assert.equal(finding?.score, 100, finding?.note)
  })
  for (const entry of cases.passing) {
    test(`${rail.name} passes ${entry.title}`, async () => {
      const finding = await check(rail, entry)
      assert.ok(finding && finding.score >= rail.threshold, `${finding?.score}: ${finding?.note}`)
      assert.match(finding.note, entry.note ?? /./)
    })
  }
  for (const entry of cases.failing) {
    test(`${rail.name} fails ${entry.title}`, async () => {
      const finding = await check(rail, entry)
      assert.ok(finding && finding.score < rail.threshold, `${finding?.score}: ${finding?.note}`)
      assert.match(finding.note, entry.note ?? /./)
    })
  }
}
