import type { Db, Queryable, Tx } from '#core'

/** Has the next run or verification compute again what every post shows. */
export async function markAllChanged(db: Queryable): Promise<void> {
  await db.query('insert into export_changes values (null)')
}

/** The same for the posts of a category: their files may show its name. */
export async function markCategoryChanged(db: Queryable, slug: string): Promise<void> {
  await db.query('insert into export_changes select post_no from public_posts where category = $1', [slug])
}

/** The same for all, where that was computed with other settings. */
export async function saveComputedWith(db: Db, settings: string): Promise<void> {
  await db.transaction(async tx => {
    const rows = await tx.query(
      `insert into export_progress (computed_with) values ($1)
       on conflict (id) do update set computed_with = $1 where export_progress.computed_with is distinct from $1
       returning 1 as changed`,
      [settings]
    )
    if (rows.length > 0) await markAllChanged(tx)
  })
}

/**
 * A restore replaces the posts: all are computed again, and every file is made again. A post may have the number and the revision
 * of another text.
 */
export async function markRestored(tx: Tx): Promise<void> {
  await tx.query(
    `insert into export_state (restore_id) values (gen_random_uuid())
     on conflict (id) do update set restore_id = excluded.restore_id`
  )
  await tx.query('update export_progress set computed_with = null, is_complete = false')
}

/** Null: nothing was ever restored. */
export async function readRestoreId(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ restore_id: string | null }>('select restore_id from export_state')
  return row?.restore_id ?? null
}

/** Has the transaction read everything as of one moment. */
export async function readOneMoment(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read')
}

/** Whether posts changed since their numbers were taken. A post whose time has not come does not count. */
export async function hasChanges(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has_some: boolean }>(
    `select exists(select from export_changes c where ${isDue}) as has_some`
  )
  return row?.has_some === true
}

const isDue = `not exists (select from indexed_posts p
  where p.post_no = c.post_no and p.status = 'published' and p.published_at > now())`

/**
 * Takes the numbers of the posts that changed since they were taken last; null stands for all. A post whose time has not come
 * stays.
 */
export async function takeChanges(tx: Tx): Promise<(number | null)[]> {
  const rows = await tx.query<{ post_no: number | null }>(
    `delete from export_changes c where ${isDue} returning post_no`
  )
  return rows.map(({ post_no }) => post_no)
}
