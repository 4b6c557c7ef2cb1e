import type { JobType } from './jobs.ts'

/** `degraded`: it works, and something is wrong. `critical`: it does not. `skipped`: it could not, or need not, be looked at. */
export type CheckStatus = 'ok' | 'degraded' | 'critical' | 'skipped'

/** What a check found, in a sentence; with what to do about it, unless all is well. */
export interface Finding {
  readonly status: CheckStatus
  readonly found: string
  readonly remedy?: string
}

/** What a check may use. `isUnattended`: in the worker's own look every few minutes, which leaves long work to `galley doctor`. */
export interface CheckContext {
  /** Aborted when the check takes too long. */
  readonly signal: AbortSignal
  readonly isUnattended?: boolean
  /** The data of every job of these kinds that is still to be done, or under way. */
  unfinished<Data>(...types: readonly JobType<Data>[]): Promise<Data[]>
}

/** One look at whether something works, for `galley doctor`. It changes nothing; what it throws counts as critical. */
export interface Check {
  /** Two or three words, such as `model endpoint`; unique among all checks. */
  readonly name: string
  run(context: CheckContext): Promise<Finding>
}

/** All is well. */
export const ok = (found: string): Finding => ({ status: 'ok', found })
/** Not looked at, and why. */
export const skipped = (found: string): Finding => ({ status: 'skipped', found })
/** It works, and something is wrong. */
export const degraded = (found: string, remedy: string): Finding => ({ status: 'degraded', found, remedy })
/** It does not work. */
export const critical = (found: string, remedy: string): Finding => ({ status: 'critical', found, remedy })
