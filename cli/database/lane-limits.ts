import type { Lane } from '../../core/db/lanes.ts'

/** How long statements of a lane may run, and wait before they begin, and how long a transaction may stay open without one. */
export interface LaneLimits {
  readonly statementMs: number
  readonly waitMs: number
  readonly idleMs: number
}

/** Of all lanes but `work`, whose limits are the caller's. */
export const laneLimits: Readonly<Record<Exclude<Lane, 'work'>, LaneLimits>> = {
  reads: { statementMs: 5_000, waitMs: 2_000, idleMs: 10_000 },
  queries: { statementMs: 2_000, waitMs: 1_000, idleMs: 10_000 },
  health: { statementMs: 1_500, waitMs: 1_500, idleMs: 10_000 }
}
