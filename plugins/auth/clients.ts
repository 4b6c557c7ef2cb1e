import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type Changes,
  type ClientProvisioner,
  ConflictError,
  type Db,
  InputError,
  NotFoundError,
  type Scope,
  type SettingsStore,
  type Tx
} from '#core'
import {
  type ClientRow,
  findClient,
  insertClient,
  listClients,
  lockConsumer,
  revokeClient,
  revokeConsumer
} from './repository.ts'

const clientId = /^gly_[0-9a-f]{32}$/

export const allScopes = ['api:read', 'api:write'] as const satisfies readonly Scope[]

/** A client as listings show it: never its secret. */
export type ClientView = Omit<ClientRow, 'secret_hash'>

/** A new client's credentials; the secret is shown this once. */
export interface Credentials {
  client_id: string
  client_secret: string
  scope: string
}

/** A consumer's new credentials. */
export interface RotatedCredentials extends Credentials {
  consumer: string
  /** The client that was revoked; null when the consumer had none. */
  revoked_client_id: string | null
}

/** The OAuth clients. */
export interface Clients extends ClientProvisioner {
  register(client_name: string, scope: string): Promise<Credentials>
  list(): Promise<ClientView[]>
  /** Replaces a consumer's client and its setting pair: the old secret stops working in the same transaction. */
  rotate(consumer: string): Promise<RotatedCredentials>
  /** Its tokens stop working within a second, everywhere. */
  revoke(client_id: string): Promise<ClientView>
  /** The client when the secret is its own and it is not revoked; undefined otherwise, without telling which. */
  verify(client_id: string, client_secret: string): Promise<ClientRow | undefined>
}

export function createClients({ db, changes, store }: { db: Db; changes: Changes; store: SettingsStore }): Clients {
  return {
    async register(client_name, scope) {
      const name = client_name.trim()
      if (name === '' || name.length > 100) throw new InputError({ name: 'must be 1 to 100 characters' })
      const credentials = newCredentials(parseScope(scope))
      await db.transaction(tx => insertClient(tx, { ...hashed(credentials), client_name: name, consumer: null }))
      return credentials
    },
    list: async () => (await listClients(db)).map(viewOf),
    async revoke(client_id) {
      const isRevoked = await db.transaction(async tx => {
        await changes.touch(tx, 'clients')
        return revokeClient(tx, client_id)
      })
      const client = await findClient(db, client_id)
      if (client === undefined)
        throw new NotFoundError(`There is no client ${client_id}: "galley auth list-clients" shows them.`)
      if (!isRevoked) throw new ConflictError(`The client ${client_id} was revoked at ${client.revoked_at} already.`)
      return viewOf(client)
    },
    async verify(client_id, client_secret) {
      // No client has an id of another form, and not every text is one the database takes.
      const client = clientId.test(client_id) ? await findClient(db, client_id) : undefined
      // Compared for unknown clients too, so that the time taken does not tell which ids exist.
      const isRight = sameHash(hash(client_secret), client?.secret_hash ?? hash(''))
      return client !== undefined && isRight && client.revoked_at === null ? client : undefined
    },
    rotate: consumer => db.transaction(tx => rotateConsumer({ tx, store, changes }, consumer)),
    async provision({ rotate }) {
      const stored = store.value('cli_oauth_client_id')
      const existing = stored === '' ? undefined : await findClient(db, stored)
      if (existing?.revoked_at === null && !rotate) return { client_id: existing.client_id, client_secret: null }
      const { client_id, client_secret } = await db.transaction(tx => rotateConsumer({ tx, store, changes }, 'cli'))
      return { client_id, client_secret }
    }
  }
}

async function rotateConsumer(
  { tx, store, changes }: { tx: Tx; store: SettingsStore; changes: Changes },
  consumer: string
): Promise<RotatedCredentials> {
  const credentials = newCredentials([...allScopes])
  await lockConsumer(tx, consumer)
  const revoked_client_id = await revokeConsumer(tx, consumer)
  await insertClient(tx, { ...hashed(credentials), client_name: consumer, consumer })
  await store.write(tx, `${consumer}_oauth_client_id`, credentials.client_id)
  await store.write(tx, `${consumer}_oauth_client_secret`, credentials.client_secret)
  await changes.touch(tx, 'clients')
  return { consumer, ...credentials, revoked_client_id }
}

/** The scopes of a space-separated list, in the service's order. @throws InputError (`scope`) for one that does not exist. */
export function parseScope(text: string): Scope[] {
  const names = text.split(/\s+/).filter(Boolean)
  const unknown = names.filter(name => !(allScopes as readonly string[]).includes(name))
  if (unknown.length > 0 || names.length === 0)
    throw new InputError({ scope: `must be some of ${allScopes.join(' ')}` })
  return allScopes.filter(scope => names.includes(scope))
}

function newCredentials(scopes: readonly Scope[]): Credentials {
  return {
    client_id: `gly_${randomBytes(16).toString('hex')}`,
    client_secret: randomBytes(32).toString('base64url'),
    scope: scopes.join(' ')
  }
}

const hashed = ({ client_id, client_secret, scope }: Credentials) => ({
  client_id,
  scope,
  secret_hash: hash(client_secret)
})

// Secrets are 256 random bits: there is nothing to guess, so a plain hash is enough and a token request stays cheap.
const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const sameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

const viewOf = ({ secret_hash: _, ...client }: ClientRow): ClientView => client
