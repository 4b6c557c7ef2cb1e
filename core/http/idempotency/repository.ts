import type { Queryable } from '../../contract/database.ts'

export const renewEverySeconds = 10
/** A claim that was not renewed for so long may be taken over. */
const heldSeconds = 3 * renewEverySeconds

/** The answer that is stored for a key; `status` is null while the first request is being answered. */
export interface StoredResponse {
  request_hash: string
  /** True once the request has changed something: it must not run again. */
  is_done: boolean
  status: number | null
  headers: Record<string, string> | null
  body: Uint8Array | null
  /** Seconds until a repetition is worth it: 1 while the claim is renewed; once a renewal is 2 s late, what is left of `heldSeconds`. */
  free_in: number
}

/** Keys belong to one client. */
export interface Key {
  readonly client_id: string
  readonly key: string
}

/**
 * Takes the key for a request: true when it was free, had expired, or was taken for the same request by a process that
 * has not renewed it for `heldSeconds`.
 */
export async function claim(db: Queryable, { client_id, key }: Key, request_hash: string): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys as stored (client_id, key, request_hash) values ($1, $2, $3)
    on conflict (client_id, key) do update
    set request_hash = excluded.request_hash, is_done = false, status = null, headers = null, body = null, created_at = now()
    where stored.created_at < now() - interval '24 hours'
      or (stored.status is null and not stored.is_done and stored.request_hash = excluded.request_hash and stored.created_at < now() - interval '${heldSeconds} seconds')
    returning key`,
    [client_id, key, request_hash]
  )
  return rows.length > 0
}

export async function find(db: Queryable, { client_id, key }: Key): Promise<StoredResponse | undefined> {
  const [row] = await db.query<StoredResponse>(
    `select request_hash, is_done, status, headers, body,
      case when created_at > now() - interval '${renewEverySeconds + 2} seconds' then 1 else greatest(1, ceil(${heldSeconds} - extract(epoch from now() - created_at)))::int end as free_in
    from idempotency_keys where client_id = $1 and key = $2`,
    [client_id, key]
  )
  return row
}

/** Marks the request as carried out, in the transaction of its own change. */
export async function markDone(tx: Queryable, { client_id, key }: Key): Promise<void> {
  await tx.query('update idempotency_keys set is_done = true where client_id = $1 and key = $2', [client_id, key])
}

/** Extends the claim: the request is still being answered. */
export async function renew(db: Queryable, { client_id, key }: Key): Promise<void> {
  await db.query(
    'update idempotency_keys set created_at = now() where client_id = $1 and key = $2 and status is null',
    [client_id, key]
  )
}

export async function store(
  db: Queryable,
  { client_id, key }: Key,
  answer: { status: number; headers: Record<string, string>; body: Buffer }
): Promise<void> {
  await db.query(
    'update idempotency_keys set status = $3, headers = $4, body = $5, created_at = now() where client_id = $1 and key = $2 and status is null',
    [client_id, key, answer.status, JSON.stringify(answer.headers), answer.body]
  )
}

export async function release(db: Queryable, { client_id, key }: Key): Promise<void> {
  await db.query('delete from idempotency_keys where client_id = $1 and key = $2 and status is null', [client_id, key])
}

export async function removeExpired(db: Queryable): Promise<void> {
  await db.query(`delete from idempotency_keys where created_at < now() - interval '24 hours'`)
}
