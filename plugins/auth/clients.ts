import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type Changes,
  type ClientProvisioner,
  ConflictError,
  type Db,
  InputError,
  NotFoundError,
  recordAudit,
  type Scope,
  type SettingsStore,
  type Tx
} from '#core'
import {
  type ClientRow,
  findClient,
  insertClient,
  listClientIds,
  listClients,
  lockConsumer,
  revokeClient,
  revokeConsumer
} from './repository.ts'

const clientId = /^gly_[0-9a-f]{32}$/

/** What a client has that is not registered with other scopes: the one of `setup`, and each consumer's. */
export const usualScopes = ['api:read', 'api:write'] as const satisfies readonly Scope[]
export const allScopes = [...usualScopes, 'api:admin'] as const satisfies readonly Scope[]

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
      await db.transaction(async tx => {
        await insertClient(tx, { ...hashed(credentials), client_name: name, consumer: null })
        await recordRegistered(tx, name, credentials)
      })
      return credentials
    },
    list: async () => (await listClients(db)).map(viewOf),
    async revoke(given) {
      const client_id = await fullId(db, given)
      const isRevoked = await db.transaction(async tx => {
        await changes.touch(tx, 'clients')
        if (!(await revokeClient(tx, client_id))) return false
        await recordRevoked(tx, client_id)
        return true
      })
      const client = await findClient(db, client_id)
      if (client === undefined) throw noClient(given)
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

/** An id may be given by the 8 or more first of its digits, with or without what every id begins with. */
const clientIdPrefix = /^(gly_)?[0-9a-f]{8,32}$/

async function fullId(db: Db, given: string): Promise<string> {
  const text = given.trim().toLowerCase()
  if (!clientIdPrefix.test(text))
    throw new InputError({ client_id: 'is not a client id: give gly_ and at least 8 of the digits behind it' })
  const prefix = text.startsWith('gly_') ? text : `gly_${text}`
  const found = await listClientIds(db, prefix, mostListed + 1)
  const [only] = found
  if (only === undefined) throw noClient(given)
  if (found.length === 1) return only
  const shown = found.slice(0, mostListed).join(', ')
  const more = found.length > mostListed ? ' and more' : ''
  throw new ConflictError(`${given} stands for several: ${shown}${more}. Give more of it.`, 'AMBIGUOUS_ID')
}

const mostListed = 5

const noClient = (given: string) =>
  new NotFoundError(`There is no client ${given}: "galley auth list-clients" shows them.`)

async function rotateConsumer(
  { tx, store, changes }: { tx: Tx; store: SettingsStore; changes: Changes },
  consumer: string
): Promise<RotatedCredentials> {
  const credentials = newCredentials(usualScopes)
  await lockConsumer(tx, consumer)
  const revoked_client_id = await revokeConsumer(tx, consumer)
  await insertClient(tx, { ...hashed(credentials), client_name: consumer, consumer })
  await store.write(tx, `${consumer}_oauth_client_id`, credentials.client_id)
  await store.write(tx, `${consumer}_oauth_client_secret`, credentials.client_secret)
  if (revoked_client_id !== null) await recordRevoked(tx, revoked_client_id)
  await recordRegistered(tx, consumer, credentials)
  await changes.touch(tx, 'clients')
  return { consumer, ...credentials, revoked_client_id }
}

const recordRegistered = (tx: Tx, client_name: string, { client_id, scope }: Credentials): Promise<void> =>
  recordAudit(tx, {
    event_type: 'auth.client_registered',
    actor: 'operator',
    details: { client_id, client_name, scope }
  })

const recordRevoked = (tx: Tx, client_id: string): Promise<void> =>
  recordAudit(tx, { event_type: 'auth.client_revoked', actor: 'operator', details: { client_id } })

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
    client_secret: newSecret(),
    scope: scopes.join(' ')
  }
}

/** One that begins with a dash would be taken for a flag on a command line. */
function newSecret(): string {
  const secret = randomBytes(32).toString('base64url')
  return secret.startsWith('-') ? newSecret() : secret
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
