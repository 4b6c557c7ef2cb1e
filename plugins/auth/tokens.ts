import { randomUUID, webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import {
  AuthError,
  type Authenticator,
  type Changes,
  type Db,
  type Installation,
  type Principal,
  type Settings,
  type SettingsStore,
  signingSecretTopic
} from '#core'
import { deleteExpired, isTokenActive, revokeToken } from './repository.ts'
import type { authSettings } from './settings.ts'

/** A reply of `POST /token`. `expires_in` is in seconds. */
export interface TokenReply {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** Issues, checks and revokes access tokens: JWTs signed with HS256. */
export interface Tokens extends Authenticator {
  mint(client_id: string, scope: string): Promise<TokenReply>
  /** Revokes a token that `client_id` was issued; any other text is ignored (RFC 7009 §2.2). */
  revoke(token: string, client_id: string): Promise<void>
}

export interface TokenDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof authSettings>
  store: SettingsStore
  installation: Installation
  now(): Date
}

interface Claims {
  client_id: string
  scope: string
  jti: string
  exp: number
}

const issuer = 'galley'
const developmentToken = 'dev-token'
const developer: Principal = { client_id: 'development', scopes: new Set(['api:read', 'api:write']) }

export function createTokens(deps: TokenDeps): Tokens {
  const { db, changes, settings, installation, now } = deps
  const signingKey = createSigningKey(installation)
  const audienceOf = () => deps.store.value('public_url')
  const cache = createTokenCache(changes, audienceOf)

  const verify = async (token: string): Promise<Claims> => {
    const audience = audienceOf()
    try {
      // Without public_url the audience is the address the issuing process listened on, which others cannot know.
      const checks = { issuer, algorithms: ['HS256'], currentDate: now() }
      const options = audience === '' ? checks : { ...checks, audience }
      return toClaims((await jwtVerify(token, await signingKey(), options)).payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new AuthError(reasonOf(error))
      throw error
    }
  }

  // Behind a proxy on this machine anybody could have sent the request.
  const acceptsDevelopmentToken = (isForwarded: boolean) =>
    settings.get('development_mode') && installation.isLoopback() && !isForwarded

  return {
    async mint(client_id, scope) {
      const expires_in = settings.get('oauth_token_ttl_seconds')
      const issuedAt = Math.floor(now().getTime() / 1000)
      const access_token = await new SignJWT({ client_id, scope })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(installation.baseUrl())
        .setSubject(client_id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expires_in)
        .setJti(randomUUID())
        .sign(await signingKey())
      return { access_token, token_type: 'Bearer', expires_in, scope }
    },
    async revoke(token, client_id) {
      const claims = await verify(token).catch(undefinedIfRefused)
      if (claims?.client_id !== client_id) return
      await db.transaction(async tx => {
        await deleteExpired(tx)
        await revokeToken(tx, claims.jti, new Date(claims.exp * 1000))
        await changes.touch(tx, 'clients')
      })
    },
    async authenticate(token, { isForwarded } = { isForwarded: false }) {
      if (token === developmentToken && acceptsDevelopmentToken(isForwarded)) return developer
      const cached = cache.get(token, now())
      if (cached !== undefined) return cached
      const store = cache.beginRead()
      const claims = await verify(token)
      if (!(await isTokenActive(db, claims.client_id, claims.jti)))
        throw new AuthError('The token or its client was revoked: get a new one from POST /token.')
      const principal = { client_id: claims.client_id, scopes: new Set(claims.scope.split(' ')) }
      store(token, principal, claims.exp)
      return principal
    }
  }
}

/** Imports the current key. It may be rotated while the service runs. */
function createSigningKey(installation: Installation): () => Promise<webcrypto.CryptoKey> {
  let bytes: Uint8Array | undefined
  let imported: Promise<webcrypto.CryptoKey> | undefined
  return () => {
    const current = installation.signingKey('access-token')
    if (imported === undefined || bytes !== current) imported = importKey(current)
    bytes = current
    return imported
  }
}

// Verifying with a CryptoKey is 1.5 times as fast as with raw bytes.
const importKey = (bytes: Uint8Array): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('raw', Buffer.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof AuthError)) throw error
}

function toClaims(payload: JWTPayload): Claims {
  const { client_id, scope, jti, exp } = payload
  if (
    typeof client_id !== 'string' ||
    typeof scope !== 'string' ||
    typeof jti !== 'string' ||
    typeof exp !== 'number'
  ) {
    throw new AuthError('The token lacks claims of this service: get one from POST /token.')
  }
  return { client_id, scope, jti, exp }
}

const reasonOf = (error: errors.JOSEError): string =>
  error.code === 'ERR_JWT_EXPIRED'
    ? 'The token has expired: get a new one from POST /token.'
    : 'The token was not issued by this service: get one from POST /token.'

const maxCachedTokens = 10_000

/** Verified tokens. Invalidated when a client or token is revoked or the signing secret rotated. The oldest are evicted first. */
function createTokenCache(changes: Changes, audienceOf: () => string) {
  const entries = new Map<string, { principal: Principal; exp: number; audience: string }>()
  let generation = 0
  const invalidate = () => {
    generation += 1
    entries.clear()
  }
  changes.on('clients', invalidate)
  changes.on(signingSecretTopic, invalidate)
  return {
    get(token: string, now: Date): Principal | undefined {
      const entry = entries.get(token)
      if (entry === undefined || !changes.isCurrent()) return undefined
      if (entry.exp * 1000 > now.getTime() && entry.audience === audienceOf()) return entry.principal
      entries.delete(token)
      return undefined
    },
    /** Call before the database is read. What it returns stores the result, unless something was revoked meanwhile. */
    beginRead() {
      const readGeneration = generation
      const audience = audienceOf()
      return (token: string, principal: Principal, exp: number) => {
        if (readGeneration !== generation) return
        if (entries.size >= maxCachedTokens) entries.delete(entries.keys().next().value as string)
        entries.set(token, { principal, exp, audience })
      }
    }
  }
}
