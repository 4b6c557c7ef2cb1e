import type { Queryable, Tx } from '#core'

/** A row of `oauth_clients`. */
export interface ClientRow {
  client_id: string
  client_name: string
  scope: string
  secret_hash: string
  consumer: string | null
  created_at: string
  revoked_at: string | null
}

const columns = 'client_id, client_name, scope, secret_hash, consumer, created_at, revoked_at'

export async function insertClient(db: Queryable, client: Omit<ClientRow, 'created_at' | 'revoked_at'>): Promise<void> {
  await db.query(
    'insert into oauth_clients (client_id, client_name, scope, secret_hash, consumer) values ($1, $2, $3, $4, $5)',
    [client.client_id, client.client_name, client.scope, client.secret_hash, client.consumer]
  )
}

export async function findClient(db: Queryable, client_id: string): Promise<ClientRow | undefined> {
  const [row] = await db.query<ClientRow>(`select ${columns} from oauth_clients where client_id = $1`, [client_id])
  return row
}

export function listClients(db: Queryable): Promise<ClientRow[]> {
  return db.query<ClientRow>(`select ${columns} from oauth_clients order by created_at, client_id`)
}

/** Ids that begin with a prefix of letters, digits and _, at most `limit` of them. */
export async function listClientIds(db: Queryable, prefix: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ client_id: string }>(
    'select client_id from oauth_clients where starts_with(client_id, $1) order by client_id limit $2',
    [prefix, limit]
  )
  return rows.map(({ client_id }) => client_id)
}

/** False when there is no such client, or it is revoked already. */
export async function revokeClient(db: Queryable, client_id: string): Promise<boolean> {
  const rows = await db.query(
    'update oauth_clients set revoked_at = now() where client_id = $1 and revoked_at is null returning client_id',
    [client_id]
  )
  return rows.length > 0
}

/** Serializes the rotations of one consumer until the transaction ends. */
export async function lockConsumer(tx: Tx, consumer: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('galley.consumer.' || $1, 0))", [consumer])
}

/** Revokes the consumer's client. Returns its id, or null when there was none. */
export async function revokeConsumer(db: Queryable, consumer: string): Promise<string | null> {
  const [row] = await db.query<{ client_id: string }>(
    'update oauth_clients set revoked_at = now() where consumer = $1 and revoked_at is null returning client_id',
    [consumer]
  )
  return row?.client_id ?? null
}

/** Whether a token's client is active and the token itself was not revoked. */
export async function isTokenActive(db: Queryable, client_id: string, jti: string): Promise<boolean> {
  const [row] = await db.query<{ active: boolean }>(
    `select revoked_at is null and not exists (select from revoked_tokens where jti = $2) as active
     from oauth_clients where client_id = $1`,
    [client_id, jti]
  )
  return row?.active ?? false
}

/** Deletes revoked tokens an hour after they expired: the database's clock may be ahead of the one that reads `exp`. */
export async function deleteExpired(db: Queryable): Promise<void> {
  await db.query("delete from revoked_tokens where expires_at < now() - interval '1 hour'")
}

/** Stores a revoked token until it would have expired. */
export async function revokeToken(db: Queryable, jti: string, expires_at: Date): Promise<void> {
  await db.query('insert into revoked_tokens (jti, expires_at) values ($1, $2) on conflict do nothing', [
    jti,
    expires_at
  ])
}
