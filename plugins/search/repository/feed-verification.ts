import type { Queryable, Tx } from '#core'

export interface RevisionRow {
  post_no: number
  revision: number
  is_published: boolean
  /** It was changed since, or the engine refuses it: nothing can be said. */
  is_pending: boolean
}

/** The revisions of posts, by number after one up to another. */
export function listRevisions(db: Queryable, { after, last }: { after: number; last: number }): Promise<RevisionRow[]> {
  return db.query<RevisionRow>(
    `select post_no, revision, published is not null as is_published,
       coalesce(sent.fault is not null or (
         search_posts.version >= horizon and sent.version is distinct from search_posts.version
       ), false) as is_pending
     from search_posts left join search_sent sent using (post_no), search_feed
     where post_no > $1 and post_no <= $2 order by post_no`,
    [after, last]
  )
}

/** Has posts sent again, in a revision of their own. */
export async function requestChanges(tx: Tx, post_nos: readonly number[]): Promise<void> {
  await tx.query(
    'update search_posts set revision = revision + 1, version = pg_current_xact_id() where post_no = any($1::int[])',
    [post_nos]
  )
}
