import type { Db } from '#core'
import type { Revalidation } from '#plugins/revalidation'
import { lastRunOf, listParts, readExportState, readVerified } from './repository/export.ts'
import { openTarget, type TargetDeps } from './target.ts'

/** The state of the export. Times are ISO 8601; null: never. */
export interface ExportStatus {
  target: string
  /** An export is being written now. */
  is_running: boolean
  public_posts: number
  /** Of this target, as `last_run_at`. */
  last_report: object | null
  last_run_at: string | null
  /** Why the last run failed; null when it did not. */
  failure: string | null
  failed_at: string | null
  /** Files at fault, by the last verification of this target. */
  findings: number | null
  verified_at: string | null
  /** Of the front ends and caches that are notified of changes. */
  revalidation: { target: string; last_status: number | null; last_error: string | null; waiting: number }[]
}

export async function readStatus(
  db: Db,
  deps: TargetDeps,
  revalidation: Revalidation | undefined
): Promise<ExportStatus> {
  const state = await readExportState(db)
  const target = openTarget(deps).store.name
  const { verified, verified_at } = await readVerified(db, target)
  const { report, finished_at } = lastRunOf(state, target)
  const parts = await listParts(db)
  const statuses = (await revalidation?.statuses()) ?? []
  return {
    target,
    is_running: (state?.holder ?? null) !== null,
    public_posts: parts.reduce((sum, { posts }) => sum + posts, 0),
    last_report: report,
    last_run_at: finished_at,
    failure: state?.failure ?? null,
    failed_at: state?.failed_at ?? null,
    findings: verified?.findings ?? null,
    verified_at,
    revalidation: statuses
      .filter(({ is_set_up }) => is_set_up)
      .map(({ target, last_status, last_error, waiting }) => ({ target, last_status, last_error, waiting }))
  }
}
