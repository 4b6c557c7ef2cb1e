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

/**
 * Has posts sent again, in a revision after the one that the engine has. A post that is unknown here is removed there. Numbers that
 * no revision can have are left alone: a rebuild is what helps.
 */
export async function requestChanges(tx: Tx, posts: readonly { post_no: number; revision: number }[]): Promise<void> {
  await tx.query(
    `insert into search_posts as present (post_no, revision)
     select post_no, revision + 1 from unnest($1::int[], $2::text[]::bigint[]) as given (post_no, revision) order by post_no
     on conflict (post_no) do update
       set revision = greatest(present.revision, excluded.revision) + 1, version = pg_current_xact_id()`,
    [posts.map(({ post_no }) => post_no), posts.map(({ revision }) => String(revision))]
  )
}
