import type { Queryable, Tx } from '#core'

/** How far the table of shown posts is. */
export interface ShownProgress {
  /** It had every public post once. */
  is_complete: boolean
  /** All posts are computed again, and those from this number on are not yet. Null: no such work is under way. */
  next_post_no: number | null
}

export async function readProgress(tx: Tx): Promise<ShownProgress> {
  const [row] = await tx.query<ShownProgress>('select is_complete, next_post_no from export_progress')
  return row ?? { is_complete: false, next_post_no: null }
}

export async function saveNextPost(tx: Tx, post_no: number): Promise<void> {
  await tx.query('update export_progress set next_post_no = $1', [post_no])
}

export async function saveComplete(tx: Tx): Promise<void> {
  await tx.query('update export_progress set is_complete = true, next_post_no = null')
}

/** After a restore, until a run has begun: also where the backup is from before the first one. */
export async function isToBeComputedAnew(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ is_anew: boolean }>(
    `select restore_id is not null and (select computed_with from export_progress) is null as is_anew from export_state`
  )
  return row?.is_anew ?? false
}
