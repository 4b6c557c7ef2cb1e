import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  allScopes,
  type Changes,
  type ClientProvisioner,
  ConflictError,
  type Db,
  type FieldErrors,
  InputError,
  NotFoundError,
  recordAudit,
  type Scope,
  type SettingsStore,
  type Tx
} from '#core'
import { ambiguousId, maxIdMatches } from '#lists'
import { clientsCacheTag } from './cache-tags.ts'
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

/** The scopes of a client that is registered without a choice: that of `setup`, and each consumer's. */
export const defaultScopes = ['api:read', 'api:write'] as const satisfies readonly Scope[]

/** A client as listings show it: never its secret. */
type ClientView = Omit<ClientRow, 'secret_hash'>

/** A new client's credentials; the secret is shown this once. */
export interface Credentials {
  client_id: string
  client_secret: string
  scope: string
}

/** A consumer's new credentials. */
interface RotatedCredentials extends Credentials {
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
  /** Its tokens stop working within a second in every process. */
  revoke(client_id: string): Promise<ClientView>
  /** The client, if the secret matches and the client is not revoked. */
  verify(client_id: string, client_secret: string): Promise<ClientRow | undefined>
}

export function createClients({ db, changes, store }: { db: Db; changes: Changes; store: SettingsStore }): Clients {
  return {
    async register(client_name, scope) {
      const faults = registrationFaults({ name: client_name, scope })
      if (Object.keys(faults).length > 0) throw new InputError(faults)
      const name = client_name.trim()
      const credentials = newCredentials(parseScope(scope))
      await db.transaction(async tx => {
        await insertClient(tx, { ...toClientRow(credentials), client_name: name, consumer: null })
        await recordRegistered(tx, name, credentials)
      })
      return credentials
    },
    list: async () => (await listClients(db)).map(toView),
    async revoke(idOrPrefix) {
      const client_id = await resolveClientId(db, idOrPrefix)
      const isRevoked = await db.transaction(async tx => {
        if (!(await revokeClient(tx, client_id))) return false
        await recordRevoked(tx, client_id)
        await changes.touch(tx, clientsCacheTag)
        return true
      })
      const client = await findClient(db, client_id)
      if (client === undefined) throw clientNotFound(idOrPrefix)
      if (!isRevoked) throw new ConflictError(`The client ${client_id} was revoked at ${client.revoked_at} already.`)
      return toView(client)
    },
    async verify(client_id, client_secret) {
      // Another form is never an id, and the database refuses some texts.
      const client = clientId.test(client_id) ? await findClient(db, client_id) : undefined
      // Unknown clients are compared too, so that the time does not reveal which ids exist.
      const isMatch = sameHash(hash(client_secret), client?.secret_hash ?? hash(''))
      return client !== undefined && isMatch && client.revoked_at === null ? client : undefined
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

/** A full client id, or at least 8 of its first digits, with or without `gly_`. */
const clientIdPrefix = /^(gly_)?[0-9a-f]{8,32}$/

async function resolveClientId(db: Db, idOrPrefix: string): Promise<string> {
  const text = idOrPrefix.trim().toLowerCase()
  if (!clientIdPrefix.test(text))
    throw new InputError({ client_id: 'is not a client id: give gly_ and at least the first 8 digits' })
  const prefix = text.startsWith('gly_') ? text : `gly_${text}`
  const found = await listClientIds(db, prefix, maxIdMatches)
  const [only] = found
  if (only === undefined) throw clientNotFound(idOrPrefix)
  if (found.length === 1) return only
  throw ambiguousId(idOrPrefix, found)
}

const clientNotFound = (idOrPrefix: string) =>
  new NotFoundError(`There is no client ${idOrPrefix}: "galley auth list-clients" shows them.`)

async function rotateConsumer(
  { tx, store, changes }: { tx: Tx; store: SettingsStore; changes: Changes },
  consumer: string
): Promise<RotatedCredentials> {
  const credentials = newCredentials(defaultScopes)
  await lockConsumer(tx, consumer)
  const revoked_client_id = await revokeConsumer(tx, consumer)
  await insertClient(tx, { ...toClientRow(credentials), client_name: consumer, consumer })
  await store.write(tx, `${consumer}_oauth_client_id`, credentials.client_id)
  await store.write(tx, `${consumer}_oauth_client_secret`, credentials.client_secret)
  if (revoked_client_id !== null) await recordRevoked(tx, revoked_client_id)
  await recordRegistered(tx, consumer, credentials)
  await changes.touch(tx, clientsCacheTag)
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

/** What is wrong with the parts of a registration that are given. */
export function registrationFaults({ name, scope }: RegistrationInput): FieldErrors {
  return {
    ...(name === undefined || /^.{1,100}$/su.test(name.trim()) ? {} : { name: 'must be 1 to 100 characters' }),
    ...(scope === undefined ? {} : scopeFault(scope))
  }
}

interface RegistrationInput {
  name?: string | undefined
  scope?: string | undefined
}

/** The names in a space-separated list. */
export const scopeNames = (text: string): string[] => text.split(/\s+/).filter(Boolean)

function scopeFault(text: string): FieldErrors {
  const names = scopeNames(text)
  const isKnown = names.length > 0 && names.every(name => allScopes.some(scope => scope === name))
  return isKnown ? {} : { scope: `must be some of ${allScopes.join(' ')}` }
}

/** The scopes of a space-separated list, in the service's order. @throws InputError (`scope`) for one that does not exist. */
function parseScope(text: string): Scope[] {
  const fault = scopeFault(text)
  if (Object.keys(fault).length > 0) throw new InputError(fault)
  const names = scopeNames(text)
  return allScopes.filter(scope => names.includes(scope))
}

function newCredentials(scopes: readonly Scope[]): Credentials {
  return {
    client_id: `gly_${randomBytes(16).toString('hex')}`,
    client_secret: newSecret(),
    scope: scopes.join(' ')
  }
}

/** A secret that begins with a dash would be read as a flag on a command line. */
function newSecret(): string {
  const secret = randomBytes(32).toString('base64url')
  return secret.startsWith('-') ? newSecret() : secret
}

const toClientRow = ({ client_id, client_secret, scope }: Credentials) => ({
  client_id,
  scope,
  secret_hash: hash(client_secret)
})

/** A secret has 256 random bits. A plain hash is enough, and keeps token requests cheap. */
const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const sameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

const toView = ({ secret_hash: _, ...client }: ClientRow): ClientView => client
