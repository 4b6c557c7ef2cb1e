import type { Queryable, Tx } from '#core'
import type { RevalidationItem, TargetStatus } from './index.ts'

/** A claim that is older was lost with its process: every request ends sooner. */
const lostAfter = `interval '15 seconds'`
/** Items that waited longer are parked when they fail. */
const deadAfter = `interval '24 hours'`

/** One at a time changes what waits for a target: two that change several rows would wait for each other. */
export async function lockWaiting(tx: Tx, target: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley revalidation ' || $1, 0))`, [target])
}

/** Adds items, or counts the change where one waits: one that is being sent is sent again. */
export async function addItems(tx: Tx, target: string, items: readonly RevalidationItem[]): Promise<void> {
  await tx.query(
    `insert into revalidation_waiting as waiting (target, key, tags)
     select $1, key, tags from jsonb_to_recordset($2::jsonb) as item (key text, tags text[])
     on conflict (target, key) do update set
       tags = array(select distinct unnest(waiting.tags || excluded.tags) order by 1),
       has_changed_again = waiting.claim is not null,
       waits_since = case when waiting.is_dead_letter then now() else waiting.waits_since end,
       attempts = case when waiting.is_dead_letter then 0 else waiting.attempts end,
       not_before = case when waiting.is_dead_letter then now() else waiting.not_before end,
       is_dead_letter = false`,
    [target, JSON.stringify(items)]
  )
}

export async function countItems(db: Queryable, target: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from revalidation_waiting where target = $1',
    [target]
  )
  return row?.count ?? 0
}

export async function deleteAll(tx: Tx): Promise<void> {
  await tx.query('delete from revalidation_waiting')
}

/** Removes all items but those that are being sent. */
export async function deleteUnclaimed(tx: Tx, target: string): Promise<void> {
  await tx.query('delete from revalidation_waiting where target = $1 and claim is null', [target])
}

interface ClaimedItem extends RevalidationItem {
  attempts: number
}

const isFree = `not is_dead_letter and not_before <= now() and (claim is null or claimed_at < now() - ${lostAfter})`

/**
 * Claims due items: those with the fewest tries, oldest first. With each failure half as many are sent together, so that
 * one that is always refused holds up no other. None while the target has to be left alone.
 */
export async function claimItems(
  db: Queryable,
  target: string,
  claim: string,
  maxItems: number
): Promise<ClaimedItem[]> {
  return db.query<ClaimedItem>(
    `with fewest as (
       select attempts, count(*)::int as items from revalidation_waiting where target = $1 and ${isFree}
       group by attempts order by attempts limit 1
     )
     update revalidation_waiting set claim = $2, claimed_at = now(), attempts = attempts + 1, has_changed_again = false
     where target = $1 and key in (
       select key from revalidation_waiting
       where target = $1 and attempts = (select attempts from fewest) and ${isFree}
       order by waits_since, key
       limit (select greatest(1, least($3::int, items) >> least(attempts, 30)) from fewest)
       for update skip locked
     ) and not exists (select from revalidation_targets where target = $1 and not_before > now())
     returning key, tags, attempts`,
    [target, claim, maxItems]
  )
}

/** Gives claimed items back: nothing is known about them. */
export async function releaseItems(tx: Tx, target: string, claim: string): Promise<void> {
  await tx.query(
    'update revalidation_waiting set claim = null, attempts = attempts - 1 where target = $1 and claim = $2',
    [target, claim]
  )
}

/** Removes items that were sent; one that changed meanwhile waits again. */
export async function removeSent(tx: Tx, target: string, claim: string): Promise<void> {
  await tx.query('delete from revalidation_waiting where target = $1 and claim = $2 and not has_changed_again', [
    target,
    claim
  ])
  await tx.query(
    `update revalidation_waiting set claim = null, attempts = 0, not_before = now(), waits_since = now()
     where target = $1 and claim = $2`,
    [target, claim]
  )
}

/** The pause after a request: what changes meanwhile goes into the next one. */
const pause = `interval '200 milliseconds'`

/** Records a success. @returns whether the requests before it failed */
export async function recordSuccess(tx: Tx, target: string, status: number): Promise<boolean> {
  const [before] = await tx.query<{ failures: number }>(
    'select failures from revalidation_targets where target = $1 for update',
    [target]
  )
  await tx.query(
    `insert into revalidation_targets (target, not_before, last_status, last_sent_at, last_success_at)
     values ($1, now() + ${pause}, $2, now(), now())
     on conflict (target) do update set failures = 0, not_before = now() + ${pause}, last_status = $2, last_error = null,
       last_sent_at = now(), last_success_at = now()`,
    [target, status]
  )
  return (before?.failures ?? 0) > 0
}

/** Schedules the retry of items that failed. @returns how many of them are parked now */
export async function delayItems(tx: Tx, target: string, claim: string, delaySeconds: number): Promise<number> {
  const rows = await tx.query<{ is_dead_letter: boolean }>(
    `update revalidation_waiting set claim = null, not_before = now() + $3 * interval '1 second',
       is_dead_letter = not has_changed_again and waits_since < now() - ${deadAfter}
     where target = $1 and claim = $2 returning is_dead_letter`,
    [target, claim, delaySeconds]
  )
  return rows.filter(row => row.is_dead_letter).length
}

/** Records a failure. @returns how many there were in a row */
export async function recordFailure(
  tx: Tx,
  target: string,
  { status, error }: { status: number | null; error: string }
): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(
    `insert into revalidation_targets as present (target, failures, last_status, last_error, last_sent_at)
     values ($1, 1, $2, $3, now())
     on conflict (target) do update set failures = present.failures + 1, last_status = $2, last_error = $3,
       last_sent_at = now() returning failures`,
    [target, status, error]
  )
  return row?.failures ?? 1
}

/** Has nothing sent to a target for a while. */
export async function backOffTarget(tx: Tx, target: string, seconds: number): Promise<void> {
  await tx.query(`update revalidation_targets set not_before = now() + $2 * interval '1 second' where target = $1`, [
    target,
    seconds
  ])
}

/** Makes all items of a target due now, the parked ones too. @returns how many are waiting */
export async function retryAll(tx: Tx, target: string): Promise<number> {
  await tx.query('update revalidation_targets set not_before = now() where target = $1', [target])
  const rows = await tx.query(
    `update revalidation_waiting set not_before = now(), attempts = 0, is_dead_letter = false,
       waits_since = case when is_dead_letter then now() else waits_since end
     where target = $1 and claim is null returning key`,
    [target]
  )
  return rows.length
}

/** When the next request is due; null when nothing waits. */
export async function findNextRetry(db: Queryable, target: string): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select greatest(
       (select min(case when claim is null then not_before else claimed_at + ${lostAfter} end)
        from revalidation_waiting where target = $1 and not is_dead_letter),
       (select not_before from revalidation_targets where target = $1
        and exists (select from revalidation_waiting where target = $1 and not is_dead_letter))) as at`,
    [target]
  )
  return row?.at ?? null
}

type StoredStatus = Omit<TargetStatus, 'is_set_up'>

/** How it stands with the targets that were ever notified of something, or wait. */
export function listStatuses(db: Queryable): Promise<StoredStatus[]> {
  return db.query<StoredStatus>(
    `with waiting as (
       select target, count(*) filter (where not is_dead_letter) as waiting, count(*) filter (where is_dead_letter) as parked,
         min(waits_since) as waits_since
       from revalidation_waiting group by target
     )
     select target, coalesce(waiting, 0) as waiting, coalesce(parked, 0) as parked, waits_since,
       coalesce(failures, 0) as failures, last_status, last_error, last_sent_at, last_success_at
     from waiting full join revalidation_targets using (target) order by target`
  )
}
