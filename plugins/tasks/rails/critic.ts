import type { Critic, Rail } from '../ports.ts'

/** The rail's manifest. */
export const critic = {
  name: 'critic',
  describe: 'A second model judges the draft against the assignment.',
  mode: 'advisory',
  threshold: 70,
  weight: 2
} as const

/** A critic as a rail; it cannot run without a critic, nor while the critic does not answer. */
export function createCriticRail(judge: Critic | undefined): Rail {
  return {
    ...critic,
    check: (draft, assignment, { signal }) => judge?.judge(assignment, draft, signal) ?? null
  }
}
