import type { Db } from '#core'

/** As if the time of a post's slot had come: for the post, and for the run of the publisher that waits for it. */
export async function reachSlot(db: Db, post_id: string): Promise<void> {
  await db.query(
    `with post as (
       select to_char(published_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as slot from posts where post_id = $1
     ), reached as (
       update posts set published_at = now() where post_id = $1
     ), due as (
       update jobs.job set start_after = now() from post
       where name = 'schedule.publish_due' and state = 'created' and singleton_key = slot returning name
     )
     select pg_notify('galley_jobs', name) from due`,
    [post_id]
  )
}
